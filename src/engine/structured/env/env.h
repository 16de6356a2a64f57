/*
 * .env.example and `env_additions`, the variables that skills declare.
 *
 *	env_text.c	the text of such a file: lines, assignments, values
 *	env_declared.c	what a skill declares
 *	env_render.c	own content and declarations → the file
 *	env_strip.c	the file → its own content
 *
 * Entries of skills are at the end of the file, in one block per skill:
 *
 *				a blank line
 *	# Skill: telegram	the heading
 *	# How to ask		an entry: comments
 *	# also for: discord
 *	TELEGRAM_MODE=poll	and an assignment
 *
 * A variable that several skills declare is in the block of the first. An entry that a person
 * has edited belongs to the own content, and so does the heading above it; the other entries of
 * the block are then inserted around it, so that it stays where it is.
 *
 * The record:
 *
 *	blocks:
 *	  telegram:
 *	    heading: true	we wrote it
 *	    blank: true		and the line above it
 *	    entries:
 *	      TELEGRAM_MODE: "# How to ask\n# also for: discord\nTELEGRAM_MODE=poll"
 *	open_end: lf		the own content had no newline at its end, and got this one
 *	unwanted: [NAME]	variables that a person removed
 */
#ifndef ENGINE_STRUCTURED_ENV_ENV_H
#define ENGINE_STRUCTURED_ENV_ENV_H

#include "engine/package/structured_format.h"

/* --- text ------------------------------------------------------------------------------ */

/*
 * A quoted value that spans several lines is read only up to the end of its first line. That
 * is enough to know which variables there are, and nothing that is added later can change
 * the meaning of a line before it.
 */
struct env_line {
	struct view whole; /* with its line end */
	struct view text;  /* without it */
	struct view name;  /* the variable that it assigns, or "" */
	struct view value; /* as in the file, with quotes and a remark after it */
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
void env_text_release(struct env_text *env);

/* All assignments of a name; NULL and 0 if it has none. */
const struct env_place *env_text_places(
	const struct env_text *env, struct view name, size_t *ret_count);

/* The assignment that counts: the last one, if possible not a commented one. */
const struct env_line *env_text_find(const struct env_text *env, struct view name);

/* "\n" or "\r\n", as the first line ends. */
const char *env_text_line_end(const struct env_text *env);

bool env_line_is_blank(const struct env_line *line);
void env_line_append(const struct env_line *line, struct buf *out);

/*
 * Append the lines that are not `taken`. `open_end` is "lf" or "crlf" if the content had no
 * newline at its end and got this one, which goes with the last line; else NULL.
 */
void env_text_append_rest(
	const struct env_text *env, const bool *taken, const char *open_end, struct buf *out);

#define ENV_HEADING "# Skill: "

/*
 * The lines of a skill's block: its heading, the last one if there are several, and at most up
 * to the next heading. False if it has no heading.
 */
bool env_text_find_block(
	const struct env_text *env, struct view skill, size_t *ret_heading, size_t *ret_end);

/* [A-Za-z_][A-Za-z0-9_]* */
bool env_name_is_valid(struct view name);

/* The value that readers of such files get from the text after the '='. */
char *env_value_read(struct view text);

/*
 * The text that is read back as that value, quoted only where readers or a shell need it.
 * Single quotes are preferred, because nothing is expanded in them.
 */
void env_value_write(const char *value, struct buf *out);

/*
 * False for a value with line ends or control characters, and for some with quotes, or
 * with a backslash at the end, that no quotes can enclose.
 */
bool env_value_is_writable(const char *value);

/* --- declarations ------------------------------------------------------------------------ */

/*
 * A manifest declares variables in one of these forms:
 *
 *	env_additions:                      env_additions:
 *	  - TELEGRAM_TOKEN                    TELEGRAM_TOKEN:
 *	  - TELEGRAM_MODE=poll                TELEGRAM_MODE: poll
 *	  - name: TELEGRAM_URL                TELEGRAM_URL:
 *	    default: https://example.org        default: https://example.org
 *	    comment: Where the API is           comment: Where the API is
 *	  - TELEGRAM_LIMIT: 5                 TELEGRAM_LIMIT: 5
 *
 * Returns a mapping, in `doc`, of each name to {default, comment}, both strings. A default ""
 * agrees with any other; a comment has no '#'. Wrong declarations are left out, and reported in
 * `faults`, which may be NULL.
 */
struct yaml_node *env_declared_read(
	const struct yaml_node *node, struct yaml_doc *doc, struct faults *faults);

/* --- the format -------------------------------------------------------------------------- */

int env_render(const struct structured_input *input, struct yaml_doc *doc,
	struct structured_output *ret_output, struct error *err);
int env_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err);

#endif
