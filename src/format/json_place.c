#include "format/json_place.h"

#include "format/json_span.h"

/* The value of a key of an object. */
static struct json_span_item find_member(
	struct view text, struct json_span parent, const char *key)
{
	struct json_span_item item = json_span_first(text, parent);

	for (; item.there; item = json_span_next(text, item))
		if (item.key.end > item.key.start + 1 &&
			view_equal_str(
				view_slice(text, item.key.start + 1, item.key.end - 1), key))
			break;
	return item;
}

void json_place(struct view text, const char *const *keys, size_t *ret_line, size_t *ret_column)
{
	struct json_span at = json_span_root(text);

	for (; *keys; keys++) {
		struct json_span_item found = find_member(text, at, *keys);

		if (!found.there)
			break;
		at = found.value;
	}
	json_span_place(text, at.start, ret_line, ret_column);
}
