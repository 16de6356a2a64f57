/*
 * A piece of somebody else's text: a pointer and a length. Nothing is copied or
 * owned, so a view is good only as long as the text under it. It may hold any
 * bytes and need not end in a NUL.
 */
#ifndef BASE_VIEW_H
#define BASE_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct view {
	const char *data;
	size_t len;
};

/* printf("%.*s", VIEW_ARGS(v)) */
#define VIEW_ARGS(v) (int)(v).len, (v).data

struct view view_of(const char *string);
struct view view_of_buf(const struct buf *b);
struct view view_slice(struct view v, size_t start, size_t end);

bool view_equal(struct view a, struct view b);
bool view_equal_str(struct view a, const char *string);
bool view_starts_with(struct view v, const char *prefix);
bool view_ends_with(struct view v, const char *suffix);

/* Take the character off the front, if it is there. */
bool view_take_char(struct view *v, char c);

/* Bytewise order, a shorter one before the longer one that it begins. */
int view_compare(struct view a, struct view b);

/* Without the white space at both ends. */
struct view view_trim(struct view v);

/*
 * Split off the part before the first `separator`, which is dropped:
 *
 *	while (view_next(&rest, '\n', &line))
 *		...
 *
 * Returns false when nothing is left. A separator at the end does not make a
 * last empty piece, as with lines in a file.
 */
bool view_next(struct view *rest, char separator, struct view *ret_piece);

#endif
