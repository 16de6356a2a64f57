/*
 * Text as lines, in the notation in which scenarios write expected output.
 *
 * The actual output of a command is first encoded in this notation, and then compared line by
 * line. So every output can be written down in a scenario, and reads as itself wherever it is
 * plain text:
 *
 *	[0d]		a byte that is no text: a control character other than
 *			tab, or not UTF-8
 *	[dir]		the absolute path of the scenario's directory
 *	[no-newline]	at the end of the last line: no newline follows
 *	[5b]dir]	an output that looks like one of these begins with [5b]
 *
 * Expected lines know two wildcards, and output that looks like one is encoded
 * as well:
 *
 *	[..]		any text within a line
 *	...		alone on its line: any number of lines
 */
#ifndef HARNESS_LINES_H
#define HARNESS_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/view.h"

struct line {
	char *text;
	unsigned number; /* where it stands in its file, or 0 */
};

struct lines {
	struct line *items;
	size_t count;
	size_t cap;
};

#define LINES_INIT ((struct lines){0})

void lines_add(struct lines *lines, struct view text, unsigned number);

/* Add all lines of an output; `dir` may be NULL. */
void lines_encode(struct lines *lines, struct view output, const char *dir);

/* Whether an expected line, with its wildcards, is that line. */
bool line_matches(const char *expected, const char *line);
bool lines_match(const struct lines *expected, const struct lines *got);

/*
 * Show the difference, `-` expected and `+` got. Returns the number (in its
 * file) of the expected line where it begins, or 0.
 */
unsigned lines_diff(struct buf *out, const struct lines *expected, const struct lines *got);

void lines_release(struct lines *lines);

#endif
