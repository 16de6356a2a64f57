#include "format/json_span.h"

#include <string.h>

#include "base/utf8.h"

static bool is_one_of(struct view text, size_t at, const char *characters)
{
	return at < text.len && text.data[at] && strchr(characters, text.data[at]);
}

static size_t skip_space(struct view text, size_t at)
{
	while (is_one_of(text, at, " \t\r\n"))
		at++;
	return at;
}

/* The end of the string that begins at `at`. */
static size_t skip_string(struct view text, size_t at)
{
	for (at++; at < text.len && text.data[at] != '"'; at++)
		if (text.data[at] == '\\')
			at++;
	return at < text.len ? at + 1 : text.len;
}

/* The end of the brackets, the string or the word that begins at `at`. */
static size_t skip_value(struct view text, size_t at)
{
	size_t depth = 0;

	do {
		if (is_one_of(text, at, "\"")) {
			at = skip_string(text, at);
			continue;
		}
		if (is_one_of(text, at, "[{"))
			depth++;
		else if (is_one_of(text, at, "]}"))
			depth--;
		at++;
	} while (at < text.len && (depth || !is_one_of(text, at, ",:]} \t\r\n")));
	return at < text.len ? at : text.len;
}

static struct json_span value_at(struct view text, size_t at)
{
	return (struct json_span){at, skip_value(text, at)};
}

struct json_span json_span_root(struct view text)
{
	size_t bom = view_starts_with(text, UTF8_BOM) ? strlen(UTF8_BOM) : 0;

	return value_at(text, skip_space(text, bom));
}

/* The item that begins at `at`, or after space there. */
static struct json_span_item item_at(struct view text, size_t at)
{
	struct json_span_item item = {0};

	at = skip_space(text, at);
	if (at >= text.len || is_one_of(text, at, "]}"))
		return item;
	item.there = true;
	item.key = value_at(text, at);
	at = skip_space(text, item.key.end);
	if (is_one_of(text, at, ":")) {
		item.value = value_at(text, skip_space(text, at + 1));
		return item;
	}
	item.value = item.key;
	item.key.end = item.key.start;
	return item;
}

struct json_span_item json_span_first(struct view text, struct json_span parent)
{
	if (!is_one_of(text, parent.start, "[{"))
		return (struct json_span_item){0};
	return item_at(text, parent.start + 1);
}

struct json_span_item json_span_next(struct view text, struct json_span_item item)
{
	size_t at = skip_space(text, item.value.end);

	if (!is_one_of(text, at, ","))
		return (struct json_span_item){0};
	return item_at(text, at + 1);
}

void json_span_place(struct view text, size_t offset, size_t *ret_line, size_t *ret_column)
{
	size_t bom = view_starts_with(text, UTF8_BOM) ? strlen(UTF8_BOM) : 0;

	utf8_place(view_slice(text, bom, text.len), offset > bom ? offset - bom : 0, ret_line,
		ret_column);
}

void json_place(struct view text, const char *const *keys, size_t *ret_line, size_t *ret_column)
{
	struct json_span at = json_span_root(text);

	for (; *keys; keys++) {
		struct json_span_item item = json_span_first(text, at);

		for (; item.there; item = json_span_next(text, item))
			if (item.key.end > item.key.start + 1 &&
				view_equal_str(
					view_slice(text, item.key.start + 1, item.key.end - 1),
					*keys))
				break;
		if (!item.there)
			break;
		at = item.value;
	}
	json_span_place(text, at.start, ret_line, ret_column);
}
