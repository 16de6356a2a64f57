#include "format/json_edit.h"

#include <stdint.h>
#include <string.h>

#include "format/json_span.h"

struct edit {
	struct view text;
	struct buf *out;
};

/* A member in tree and text; `before` is the one in front of it. */
struct found {
	bool there;
	json_t *json;
	struct json_span_item item;
	struct json_span_item before;
	struct json_span_item last; /* of all members */
	bool alone;                 /* it is also the first */
};

static struct found edit_find(
	const struct edit *edit, json_t *object, struct json_span span, const char *key)
{
	struct json_span_item item = json_span_first(edit->text, span);
	struct found found = {0};
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		if (!strcmp(name, key)) {
			found.there = true;
			found.json = value;
			found.item = item;
			found.before = found.last;
		}
		found.alone = !found.last.there;
		found.last = item;
		item = json_span_next(edit->text, item);
	}
	return found;
}

static void edit_copy(const struct edit *edit, size_t start, size_t end)
{
	buf_append(edit->out, edit->text.data + start, end - start);
}

/* --- layout ------------------------------------------------------------------ */

/* The space before `at`. */
static struct view gap_before(struct view text, size_t at)
{
	size_t start = at;

	while (start > 0 && strchr(" \t\r\n", text.data[start - 1]))
		start--;
	return view_slice(text, start, at);
}

static bool has_newline(struct view text)
{
	return text.len && memchr(text.data, '\n', text.len);
}

/* The space at the beginning of the line of `at`. */
static struct view indent_of_line(struct view text, size_t at)
{
	size_t start = at;
	size_t end;

	while (start > 0 && text.data[start - 1] != '\n')
		start--;
	end = start;
	while (end < at && (text.data[end] == ' ' || text.data[end] == '\t'))
		end++;
	return view_slice(text, start, end);
}

static struct json_style edit_style(const struct edit *edit, bool one_line)
{
	struct json_style style = json_style_detect(edit->text);

	if (one_line)
		style.indent = view_of("");
	else if (!style.indent.len)
		style = JSON_STYLE_DEFAULT;
	return style;
}

/* A value; every line of it but the first begins with `indent`. */
static void edit_write_value(
	const struct edit *edit, const json_t *value, bool one_line, struct view indent)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(json_decrefp) json_t *wrapped = json_pack("[O]", (json_t *)(uintptr_t)value);
	struct json_style style = edit_style(edit, one_line);
	struct view inner;

	json_write_npm(json_array_get(wrapped, 0), &style, &text);
	inner = view_trim(view_of_buf(&text));
	for (size_t i = 0; i < inner.len; i++) {
		buf_append_char(edit->out, inner.data[i]);
		if (inner.data[i] == '\n')
			buf_append(edit->out, indent.data, indent.len);
	}
}

static void edit_write_member(const struct edit *edit, const char *key, const json_t *value,
	bool one_line, struct view indent)
{
	CLEANUP(json_decrefp) json_t *name = json_string(key);

	edit_write_value(edit, name, true, view_of(""));
	buf_append_str(edit->out, ": ");
	edit_write_value(edit, value, one_line, indent);
}

/* --- changes ----------------------------------------------------------------- */

static void edit_replace(
	const struct edit *edit, const struct found *found, const json_t *value)
{
	struct view gap = gap_before(edit->text, found->item.key.start);

	edit_copy(edit, 0, found->item.value.start);
	edit_write_value(edit, value, !has_newline(gap),
		indent_of_line(edit->text, found->item.key.start));
	edit_copy(edit, found->item.value.end, edit->text.len);
}

static void edit_remove(
	const struct edit *edit, const struct found *found, struct json_span parent)
{
	struct json_span_item next = json_span_next(edit->text, found->item);
	size_t start = found->item.key.start;
	size_t end = found->item.value.end;

	if (next.there) {
		end = next.key.start;
	} else if (found->before.there) {
		start = found->before.value.end;
	} else {
		start = parent.start + 1;
		end = parent.end - 1;
	}
	edit_copy(edit, 0, start);
	edit_copy(edit, end, edit->text.len);
}

/* After the last member, with the same space before it. */
static void edit_append(const struct edit *edit, const struct found *found, const char *key,
	const json_t *value)
{
	struct view gap = gap_before(edit->text, found->last.key.start);

	edit_copy(edit, 0, found->last.value.end);
	buf_append_char(edit->out, ',');
	if (found->alone && !gap.len)
		buf_append_char(edit->out, ' ');
	buf_append(edit->out, gap.data, gap.len);
	edit_write_member(edit, key, value, !has_newline(gap),
		indent_of_line(edit->text, found->last.key.start));
	edit_copy(edit, found->last.value.end, edit->text.len);
}

/* Into an object without members. */
static void edit_add_first(
	const struct edit *edit, struct json_span parent, const char *key, const json_t *value)
{
	struct json_style style = edit_style(edit, false);
	CLEANUP(buf_release) struct buf indent = BUF_INIT;
	struct view outer = indent_of_line(edit->text, parent.start);

	buf_append(&indent, outer.data, outer.len);
	buf_append(&indent, style.indent.data, style.indent.len);
	edit_copy(edit, 0, parent.start + 1);
	buf_append_char(edit->out, '\n');
	buf_append(edit->out, indent.data, indent.len);
	edit_write_member(edit, key, value, false, view_of_buf(&indent));
	buf_append_char(edit->out, '\n');
	buf_append(edit->out, outer.data, outer.len);
	edit_copy(edit, parent.end - 1, edit->text.len);
}

/* {"a": {"b": value}} for the keys that are missing. */
static json_t *nested_value(const char *const *keys, const json_t *value)
{
	json_t *object;

	if (!*keys)
		return json_deep_copy(value);
	object = json_object();
	json_object_set_new(object, *keys, nested_value(keys + 1, value));
	return object;
}

static void edit_member(const struct edit *edit, json_t *object, struct json_span span,
	const char *const *keys, const json_t *value)
{
	struct found found = edit_find(edit, object, span, keys[0]);
	CLEANUP(json_decrefp) json_t *whole = NULL;

	if (found.there && keys[1] && json_is_object(found.json)) {
		edit_member(edit, found.json, found.item.value, keys + 1, value);
		return;
	}
	if (!value && found.there && !keys[1]) {
		edit_remove(edit, &found, span);
		return;
	}
	if (!value) {
		edit_copy(edit, 0, edit->text.len);
		return;
	}
	whole = nested_value(keys + 1, value);
	if (found.there)
		edit_replace(edit, &found, whole);
	else if (found.last.there)
		edit_append(edit, &found, keys[0], whole);
	else
		edit_add_first(edit, span, keys[0], whole);
}

void json_edit(struct view text, const char *const *keys, const json_t *value, struct buf *out)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *root = NULL;
	struct edit edit = {text, out};

	if (json_read(text, "text", SIZE_MAX, &root, &ignored) < 0 || !json_is_object(root))
		return;
	edit_member(&edit, root, json_span_root(text), keys, value);
}
