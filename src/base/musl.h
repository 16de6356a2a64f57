/*
 * What glibc has and another C library, such as musl, may lack. Where a function is missing,
 * the build includes this in every file and defines LACKS_ with its name (see meson.build). Older
 * versions of musl than 1.2.5 also lack statx().
 */
#ifndef BASE_MUSL_H
#define BASE_MUSL_H

#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef LACKS_close_range
static inline int close_range(unsigned first, unsigned last, int flags)
{
	return (int)syscall(SYS_close_range, first, last, flags);
}
#endif

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE (1 << 0)
#define RENAME_EXCHANGE  (1 << 1)
#endif

#ifdef LACKS_sigabbrev_np
/* The signals that a person or the system ends us with. */
static inline const char *sigabbrev_np(int number)
{
	return number == SIGINT    ? "INT"
	       : number == SIGTERM ? "TERM"
	       : number == SIGHUP  ? "HUP"
				   : "QUIT";
}
#endif

#endif
