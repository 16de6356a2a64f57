/*
 * Can a terminal be played here? It takes a pseudo-terminal, and in a root where nobody has
 * mounted /dev/pts there are none: tests that need one are skipped.
 */
#ifndef HARNESS_PSEUDO_TERMINAL_H
#define HARNESS_PSEUDO_TERMINAL_H

/* NULL if it can, else why not. Belongs to the program. */
const char *pseudo_terminal_missing(void);

/* Where it cannot: all of a test program is skipped, and this does not return. */
void pseudo_terminal_or_skip(void);

#endif
