/*
 * The function, section or key of a file that a line is in, as `git diff` shows it after "@@".
 *
 *	CLEANUP(funcname_release) struct funcname names = FUNCNAME_INIT;
 *
 *	funcname_open(&names, "src/index.ts", text);
 *	heading = funcname_find(&names, line);		NULL: before the first one
 *
 * The language is known by the file's name. For C, C++, Go, JavaScript, TypeScript, Markdown,
 * Python, Rust and shell, the result is the nearest line above that looks like the beginning of
 * a definition or section; for YAML and JSON, the keys that lead to the line
 * (`services.web.ports`); for other files, as in git, the nearest line above that begins with a
 * letter, '_' or '$'.
 */
#ifndef ENGINE_TEXT_FUNCNAME_H
#define ENGINE_TEXT_FUNCNAME_H

#include <stddef.h>

#include "base/view.h"

/* Longer headings are cut off. */
#define FUNCNAME_MAX 80

struct funcname {
	const struct funcname_language *language;
	void *patterns; /* compiled */
	struct view *lines;
	size_t count;
	size_t cap;
};

#define FUNCNAME_INIT ((struct funcname){0})

/* The text must outlive `ret_names`. */
void funcname_open(struct funcname *ret_names, const char *path, struct view text);

/* Lines count from 0. In a known language the line itself may be the heading. To be freed. */
char *funcname_find(const struct funcname *names, size_t line);

void funcname_release(struct funcname *names);

#endif
