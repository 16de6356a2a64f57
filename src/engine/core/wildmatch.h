/*
 * Patterns of file names, as git 2.39 understands them (its wildmatch.c).
 *
 *	?	one byte		[a-z]	one byte of a set; [!a], [^a] the others
 *	*	any number of bytes	[[:alpha:]] and the like, of ASCII
 *	\x	the byte x itself
 *
 * With `pathname`, no wildcard matches a slash, except a `**` that has a slash or the end of the
 * pattern on either side. Without it, all wildcards do.
 *
 * An invalid pattern (an open bracket, a backslash at the end) matches nothing. The time is
 * bounded by the product of the two lengths, with any number of stars.
 */
#ifndef ENGINE_CORE_WILDMATCH_H
#define ENGINE_CORE_WILDMATCH_H

#include <stdbool.h>

/* A pattern without these bytes matches only itself. */
#define WILDMATCH_SPECIAL "*?[\\"

bool wildmatch(const char *pattern, const char *text, bool pathname);

#endif
