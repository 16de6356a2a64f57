/*
 * Texts as lines: what one has and another has not, and conflict markers.
 */
#ifndef ENGINE_TEXT_LINES_H
#define ENGINE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

#include "util/view.h"

/*
 * Does `text` have all lines of `base`, in their order, perhaps with others in
 * between? Then nothing of the base is deleted by it.
 */
bool lines_keep_all(struct view base, struct view text);

/*
 * The first lines of `base`, up to `max`, that `text` has not, or has less often.
 * Returns how many there are in all.
 */
size_t lines_missing(struct view base, struct view text, struct view *ret_lines, size_t max);

/* Is there a line in `lines` that `known` has, and `text` has not? Blank ones aside. */
bool lines_lost(struct view lines, struct view known, struct view text);

/* The same for lines that `text` has, but not in the order of `base`. */
size_t lines_displaced(struct view base, struct view text, struct view *ret_lines, size_t max);

/*
 * How many lines begin with a conflict marker: seven or more of `<`, `|` or `>`
 * and a space. (A line of `=` alone may well be content.)
 */
size_t lines_count_markers(struct view text);

#endif
