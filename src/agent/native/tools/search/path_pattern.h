/*
 * Patterns for paths, as shells have them:
 *
 *	*	any characters within a name	**	any characters, also '/'
 *	?	one character of a name		** before '/'	any folders, also none
 *	[a-z]	one of these			[!a-z] [^a-z]	one that is not
 *	{a,b}	one of these texts		\*	the character itself
 *
 * Names that begin with a dot match like others. The running time is at most the length of the
 * pattern times the length of the path. A byte that is not UTF-8 counts as one character.
 */
#ifndef AGENT_NATIVE_TOOLS_SEARCH_PATH_PATTERN_H
#define AGENT_NATIVE_TOOLS_SEARCH_PATH_PATTERN_H

#include <stdbool.h>

#include "base/error.h"
#include "base/view.h"

struct path_pattern;

/* Refused are patterns of more than 1,024 bytes, or with more than 64 texts of braces. */
int path_pattern_parse(const char *text, struct path_pattern **ret_pattern, struct error *err);

bool path_pattern_matches(const struct path_pattern *pattern, struct view path);

/* How many folders deep a path that matches can be; SIZE_MAX: any number. */
size_t path_pattern_depth(const struct path_pattern *pattern);

void path_pattern_freep(struct path_pattern **pattern);

#endif
