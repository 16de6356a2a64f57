/*
 * Compare texts line by line, and find conflict markers.
 */
#ifndef ENGINE_TEXT_LINES_H
#define ENGINE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

/*
 * Does `text` have all lines of `base` in the same order, perhaps with others in between?
 * Then it deletes nothing of the base.
 */
bool lines_keep_all(struct view base, struct view text);

/*
 * The first lines of `base`, up to `max`, that `text` lacks, or has less often.
 * Returns how many there are in all.
 */
size_t lines_missing(struct view base, struct view text, struct view *ret_lines, size_t max);

/* Does `lines` have a line, other than a blank one, that `known` has and `text` lacks? */
bool lines_lost(struct view lines, struct view known, struct view text);

/* The same for lines that `text` has, but not in the order of `base`. */
size_t lines_displaced(struct view base, struct view text, struct view *ret_lines, size_t max);

/*
 * The number of lines that begin with a conflict marker: seven or more of `<`, `|` or `>`
 * and a space. (A line of `=` alone may be content.)
 */
size_t lines_count_markers(struct view text);

/*
 * Does a resolved file still have markers of its conflict?
 *
 * Lines that look like markers may be content. Markers are left if there are more such lines
 * than in the sides, if there are our own labels that no side has, or if there are more
 * dividers (seven equals signs) than in both sides together.
 */
struct markers_question {
	size_t content; /* lines of the merged file that look like markers and are content */
	struct view ours;
	struct view theirs;
	const char *label; /* of theirs: "telegram 1.0.0" */
};

bool markers_are_left(struct view text, const struct markers_question *question);

#endif
