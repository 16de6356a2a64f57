/*
 * Does bubblewrap work on this machine? Where it does not (it is not installed, or the kernel
 * or a container around us allows no namespaces) no foreign agent runs, and tests that need one
 * are skipped. This runs bwrap directly and not through our sandbox, so that a bug in the
 * sandbox is not hidden.
 */
#ifndef HARNESS_BWRAP_H
#define HARNESS_BWRAP_H

/* NULL if it works, else why not. Looked up once; belongs to the program. */
const char *bwrap_missing(void);

/* Where it does not work: all of a test program is skipped, and this does not return. */
void bwrap_or_skip(void);

/*
 * The same for the built-in agent, which also runs where the kernel has Landlock and no
 * namespaces can be made.
 */
const char *sandbox_missing(void);
void sandbox_or_skip(void);

#endif
