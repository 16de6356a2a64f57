/*
 * Does bubblewrap work on this machine? Where it does not (it is not installed, or the kernel
 * or a container around us allows no namespaces) no agent can run, and tests that need one are
 * skipped. It is asked for itself and not through our sandbox: a fault there is to be seen.
 */
#ifndef HARNESS_BWRAP_H
#define HARNESS_BWRAP_H

/* NULL if it works, else why not. Looked up once; belongs to the program. */
const char *bwrap_missing(void);

/* Where it does not work: all of a test program is skipped, and this does not return. */
void bwrap_or_skip(void);

#endif
