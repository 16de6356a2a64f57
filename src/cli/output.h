/*
 * What goes to standard output: text for people, or with --json one document
 * for programs. Messages go to standard error (proc/log.h).
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include <jansson.h>

#include "cli/command.h"

/* Print `document` with sorted keys, and release it. */
void output_json(json_t *document);

/* The result of a command that succeeded: `success`, and the members of a shape (json_build()). */
void output_success(const char *shape, ...);

/* "s", or "" for a count of 1. */
const char *plural(size_t count);

/* A path for people: in quotes and escaped only where it could be misread. */
char *output_path(const char *path);

/* Report an error: on standard error, and with --json as a document too. */
void output_error(const struct cli *cli, const struct error *err);

/* `code` if standard output is shown in colour, otherwise "". */
const char *output_color(const struct cli *cli, const char *code);

/*
 * A text from outside as it may be printed: on a terminal with '?' for what could steer
 * it, elsewhere as it is. To be freed.
 */
char *output_text(const char *text);

/* A line from outside, with '?' for what could steer a terminal. To be freed. */
char *output_line(struct view line);

/* The same for the first line of a text, without spaces around it. */
char *output_first_line(const char *text);

/* Is standard output a terminal? */
bool shown_on_terminal(void);

/* The width of the terminal; 80 if it is unknown. */
int output_columns(void);

/* How many columns of a terminal a text takes: a wide character two, an accent none. */
int output_width(const char *text);

/*
 * Append `text`, whose first line starts in column `used`. On a terminal it is wrapped at words,
 * a newline counts as a space, and further lines are indented to that column; elsewhere, and where fewer than 20 columns are
 * left, it stays as it is.
 */
void output_wrap(struct buf *out, const char *text, int used);

/*
 * Append a line of a file as `less` shows it: `^[` for a control character, `<9B>` for a byte
 * that is not UTF-8, `<U+202E>` for a character that cannot be seen. Tabs stay.
 */
void shown_append(struct buf *out, struct view line);

/*
 * A command_progress (engine/disk/command.h) on standard error: on a terminal one line that is
 * written over and vanishes at the end; elsewhere a line after ten seconds, then twice a minute.
 */
void output_progress(const char *what, long long duration_ms, unsigned seconds);

#define COLOR_BOLD   "\033[1m"
#define COLOR_DIM    "\033[2m"
#define COLOR_RED    "\033[31m"
#define COLOR_GREEN  "\033[32m"
#define COLOR_YELLOW "\033[33m"
#define COLOR_CYAN   "\033[36m"
#define COLOR_RESET  "\033[0m"

#endif
