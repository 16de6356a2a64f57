/*
 * The text of an .env file: its lines, what they assign, and how a value is written.
 *
 *	CLEANUP(env_text_release) struct env_text env = ENV_TEXT_INIT;
 *
 *	env_text_read(text, &env);
 *	line = env_text_find(&env, "TOKEN");
 *
 * A line is a line: a quoted value that goes over several of them is read only as far
 * as its first one. That is enough to tell which variables there are, and nothing that
 * is added later can change the meaning of a line before it.
 */
#ifndef ENGINE_STRUCTURED_ENV_ENV_TEXT_H
#define ENGINE_STRUCTURED_ENV_ENV_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/view.h"

struct env_line {
	struct view whole; /* with its line end */
	struct view text;  /* without it */
	struct view name;  /* the variable that it assigns, or "" */
	struct view value; /* as it stands there, with quotes and a remark behind it */
	bool commented;    /* "# NAME=value": known, and left at its default */
};

/* An assignment: the index of its line, under the name. */
struct env_place {
	struct view name;
	size_t line;
};

struct env_text {
	struct env_line *lines;
	size_t count, cap;
	struct env_place *places; /* sorted by name, then by line */
	size_t place_count, place_cap;
};

#define ENV_TEXT_INIT ((struct env_text){0})

/* The lines point into `text`. */
void env_text_read(struct view text, struct env_text *ret_env);

/* All assignments of a name; NULL and 0 if there are none. */
const struct env_place *env_text_places(
	const struct env_text *env, struct view name, size_t *ret_count);

/* The line that says what a variable is: the last one, if possible not a commented one. */
const struct env_line *env_text_find(const struct env_text *env, struct view name);

/* How its lines end: "\n" or "\r\n", as the first one does. */
const char *env_text_line_end(const struct env_text *env);

bool env_line_is_blank(const struct env_line *line);

/* [A-Za-z_][A-Za-z0-9_]* */
bool env_name_is_valid(struct view name);

/* The value that readers of such files take from the text behind the '='. */
char *env_value_read(struct view text);

/*
 * The text that is read back as that value: with quotes only where readers or a shell
 * need them. Single ones come first, because nothing is expanded in them.
 */
void env_value_write(const char *value, struct buf *out);

/*
 * False for a value with line ends or control characters, and for some with quotes, or
 * with a backslash at the end, that no quotes can enclose.
 */
bool env_value_is_writable(const char *value);

void env_text_release(struct env_text *env);

#endif
