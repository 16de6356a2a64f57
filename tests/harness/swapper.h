/*
 * An attacker: a process that exchanges two names in a directory as fast as it
 * can, until it is stopped or its parent ends.
 *
 *	pid_t pid = swapper_start(dirfd, "folder", "link");
 *	...
 *	swapper_stop(pid);
 *
 * Each exchange is one step, so both names always exist.
 */
#ifndef HARNESS_SWAPPER_H
#define HARNESS_SWAPPER_H

#include <sys/types.h>

pid_t swapper_start(int dirfd, const char *a, const char *b);
void swapper_stop(pid_t pid);

#endif
