#include "util/json_place.h"

#include <string.h>

#include "util/utf8.h"

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

/* Behind the string that begins at `at`. */
static size_t skip_string(struct view text, size_t at)
{
	for (at++; at < text.len && text.data[at] != '"'; at++)
		if (text.data[at] == '\\')
			at++;
	return at < text.len ? at + 1 : text.len;
}

static size_t skip_value(struct view text, size_t at)
{
	size_t depth = 0;

	while (at < text.len && (depth || !is_one_of(text, at, ",]}"))) {
		if (text.data[at] == '"') {
			at = skip_string(text, at);
			continue;
		}
		if (is_one_of(text, at, "[{"))
			depth++;
		else if (is_one_of(text, at, "]}"))
			depth--;
		at++;
	}
	return at;
}

/* The value of a key of the object that begins at `at`; text.len if it has none. */
static size_t find_member(struct view text, size_t at, const char *key)
{
	if (!is_one_of(text, at, "{"))
		return text.len;
	for (at = skip_space(text, at + 1); is_one_of(text, at, "\"");
		at = skip_space(text, at + 1)) {
		size_t end = skip_string(text, at);
		struct view name = view_slice(text, at + 1, end - 1);

		at = skip_space(text, skip_space(text, end) + 1);
		if (view_equal_str(name, key))
			return at;
		at = skip_value(text, at);
	}
	return text.len;
}

void json_place(struct view text, const char *const *keys, size_t *ret_line, size_t *ret_column)
{
	size_t bom = view_starts_with(text, UTF8_BOM) ? strlen(UTF8_BOM) : 0;
	size_t at;

	text = view_slice(text, bom, text.len);
	at = skip_space(text, 0);
	for (; *keys; keys++) {
		size_t found = find_member(text, at, *keys);

		if (found >= text.len)
			break;
		at = found;
	}
	utf8_place(text, at, ret_line, ret_column);
}
