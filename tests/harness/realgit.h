/*
 * The real git, to make repositories for tests. A test that needs it begins with
 *
 *	if (!realgit_present())
 *		return;
 */
#ifndef HARNESS_REALGIT_H
#define HARNESS_REALGIT_H

#include <stdbool.h>

bool realgit_present(void);

/*
 * Run `git` with these words, separated by single spaces, in a folder, without
 * anybody's configuration. Ends the process if it fails.
 */
void realgit(const char *folder, const char *words);

#endif
