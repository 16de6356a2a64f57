#include "format/json.h"

#include <string.h>

#include "base/utf8.h"

/* --- reading ---------------------------------------------------------------- */

/* jansson allows deeper nesting, and its callers would have to recurse as deep. */
static int check_depth(struct view text, const char *name, struct error *err)
{
	size_t depth = 0;
	bool in_string = false;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (in_string && c == '\\')
			i++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == '[' || c == '{'))
			depth++;
		else if (!in_string && (c == ']' || c == '}') && depth)
			depth--;
		if (depth > JSON_MAX_DEPTH) {
			size_t line;
			size_t column;

			utf8_place(text, i, &line, &column);
			return error_set(err, ERROR_INVALID,
				"%s:%zu:%zu: nested deeper than %d", name, line, column,
				JSON_MAX_DEPTH);
		}
	}
	return 0;
}

static int check_utf8(struct view text, const char *name, struct error *err)
{
	size_t valid = utf8_valid_len(text);
	size_t line;
	size_t column;

	if (valid == text.len)
		return 0;
	utf8_place(text, valid, &line, &column);
	return error_set(err, ERROR_INVALID, "%s:%zu:%zu: not UTF-8", name, line, column);
}

static struct view without_bom(struct view text)
{
	return view_starts_with(text, UTF8_BOM) ? view_slice(text, strlen(UTF8_BOM), text.len)
						: text;
}

int json_read(
	struct view text, const char *name, size_t max, json_t **ret_json, struct error *err)
{
	const size_t flags = JSON_ALLOW_NUL | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL |
			     JSON_REJECT_DUPLICATES;
	CLEANUP(freep) char *problem = NULL;
	json_error_t where;
	json_t *json;

	if (text.len > max)
		return error_set(err, ERROR_INVALID, "%s: larger than %zu bytes", name, max);
	text = text.len ? without_bom(text) : view_of(""); /* jansson refuses NULL */
	if (check_utf8(text, name, err) < 0 || check_depth(text, name, err) < 0)
		return -1;
	json = json_loadb(text.data, text.len, flags, &where);
	if (json) {
		*ret_json = json;
		return 0;
	}
	problem = utf8_excerpt(view_of(where.text));
	return error_set(err, ERROR_INVALID, "%s:%d:%d: %s", name, where.line,
		where.column > 0 ? where.column : 1, problem);
}

/* --- text from outside ------------------------------------------------------ */

json_t *json_text(struct view text)
{
	CLEANUP(buf_release) struct buf valid = BUF_INIT;
	json_t *string;

	while (text.len) {
		size_t len = utf8_valid_len(text);

		buf_append(&valid, text.data, len);
		if (len < text.len) {
			buf_append_str(&valid, UTF8_REPLACEMENT);
			len++;
		}
		text = view_slice(text, len, text.len);
	}
	string = json_stringn(valid.data, valid.len);
	if (!string)
		out_of_memory();
	return string;
}

json_t *json_text_or_null(const char *text)
{
	return text ? json_text(view_of(text)) : json_null();
}

json_t *json_strings(const struct string_array *strings)
{
	json_t *json = json_array();

	for (size_t i = 0; i < strings->count; i++)
		json_array_append_new(json, json_text(view_of(strings->list[i])));
	return json;
}

/* --- the style of npm ------------------------------------------------------- */

/* The line ends at the start of `text`: the expression (?:\r?\n)+ */
static size_t newlines_len(struct view text)
{
	size_t at = 0;

	while (at < text.len) {
		size_t len = text.data[at] == '\r' ? 2 : 1;

		if (at + len > text.len || text.data[at + len - 1] != '\n')
			break;
		at += len;
	}
	return at;
}

static size_t spaces_len(struct view text)
{
	size_t at = 0;

	while (at < text.len && strchr(" \t\r\n", text.data[at]) && text.data[at])
		at++;
	return at;
}

/* {} or [] with nothing but line ends after it. */
static bool is_empty_value(struct view text)
{
	if (!view_starts_with(text, "{}") && !view_starts_with(text, "[]"))
		return false;
	return newlines_len(view_slice(text, 2, text.len)) == text.len - 2;
}

struct json_style json_style_detect(struct view original)
{
	struct json_style style = JSON_STYLE_DEFAULT;
	struct view text = without_bom(original);
	size_t at = spaces_len(text);
	size_t newlines;

	if (is_empty_value(text)) {
		if (text.len > 2)
			style.newline = view_slice(text, 2, text.len);
		return style;
	}
	if (at == text.len || (text.data[at] != '{' && text.data[at] != '['))
		return style;
	text = view_slice(text, at + 1, text.len);
	newlines = newlines_len(text);
	style.newline = view_slice(text, 0, newlines);
	text = view_slice(text, newlines, text.len);
	style.indent = view_slice(text, 0, newlines ? spaces_len(text) : 0);
	return style;
}
