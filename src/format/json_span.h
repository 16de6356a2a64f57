/*
 * The places of values in JSON text, for messages and for edits that leave the rest of the text
 * alone. The text must be one that json_read() accepts. jansson keeps the order of members, so its
 * tree and the text can be walked side by side:
 *
 *	struct json_span_item item = json_span_first(text, json_span_root(text));
 *
 *	json_object_foreach(object, name, value) {
 *		... item.key, item.value ...
 *		item = json_span_next(text, item);
 *	}
 *
 * Offsets count from the beginning of the text, a byte order mark included.
 */
#ifndef FORMAT_JSON_SPAN_H
#define FORMAT_JSON_SPAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/view.h"

/* From `start` up to, and without, `end`: a value or a key with its quotes, no space around. */
struct json_span {
	size_t start;
	size_t end;
};

struct json_span_item {
	bool there;           /* false: there is no such item */
	struct json_span key; /* of a member; empty, at the value, for an element of an array */
	struct json_span value;
};

struct json_span json_span_root(struct view text);

/* The first member or element of an object or array. */
struct json_span_item json_span_first(struct view text, struct json_span parent);

/* The one after it. */
struct json_span_item json_span_next(struct view text, struct json_span_item item);

/* Like utf8_place(), but does not count a byte order mark. */
void json_span_place(struct view text, size_t offset, size_t *ret_line, size_t *ret_column);

/*
 * The line and column of the value that `keys` lead to, one object in the other; a NULL ends
 * them. If a key is not found (it may be written with escapes), the place of the last value that
 * was.
 */
void json_place(
	struct view text, const char *const *keys, size_t *ret_line, size_t *ret_column);

#endif
