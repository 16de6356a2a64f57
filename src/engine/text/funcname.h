/*
 * In which function, section or key of a file a line is, as `git diff` shows it behind "@@".
 *
 *	CLEANUP(funcname_release) struct funcname names = FUNCNAME_INIT;
 *
 *	funcname_open(&names, "src/index.ts", text);
 *	heading = funcname_find(&names, line);		NULL: before the first one
 *
 * The language is known by the file's name. For C, C++, Go, JavaScript, TypeScript, Markdown,
 * Python, Rust and shell it is the last line above that looks like the beginning of a
 * definition, or of a section; for YAML and JSON it is the keys that lead there
 * (`services.web.ports`); for all others, as with git, the last line before it that begins with
 * a letter, '_' or '$'.
 */
#ifndef ENGINE_TEXT_FUNCNAME_H
#define ENGINE_TEXT_FUNCNAME_H

#include <stddef.h>

#include "base/view.h"

/* What is longer is cut off. */
#define FUNCNAME_MAX 80

struct funcname {
	const struct funcname_language *language;
	void *patterns; /* compiled */
	struct view *lines;
	size_t count;
	size_t cap;
};

#define FUNCNAME_INIT ((struct funcname){0})

/* The text must stay as long as it is used. */
void funcname_open(struct funcname *ret_names, const char *path, struct view text);

/* Lines count from 0. In a known language the line itself counts, too. To be freed; or NULL. */
char *funcname_find(const struct funcname *names, size_t line);

void funcname_release(struct funcname *names);

#endif
