#include "format/yaml_edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "format/yaml_write.h"

static void splice_add(struct yaml_edit *e, size_t from, size_t to, char *text)
{
	GROW(e->list, e->count, e->cap);
	e->list[e->count] = (struct yaml_splice){from, to, e->count, text};
	e->count++;
}

/* --- scalars ------------------------------------------------------------------------------ */

/* The text as YAML: within brackets, more characters need quotes. */
static char *edit_render(struct yaml_edit *e, const char *text, char quote, bool flow)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	bool simple = !strpbrk(text, "\"'\\") && utf8_all_printable(view_of(text));

	if (quote && simple)
		buf_appendf(&out, "%c%s%c", quote, text, quote);
	else if (!quote && yaml_plain_safe(view_of(text)) && !(flow && strpbrk(text, ",[]{}")))
		buf_append_str(&out, text);
	else if (yaml_append_quoted(&out, view_of(text), &err) < 0)
		e->impossible = true;
	return buf_take(&out);
}

static char quote_at(const struct yaml_edit *e, size_t offset)
{
	char c = offset < e->text.len ? e->text.data[offset] : '\0';

	return c == '"' || c == '\'' ? c : '\0';
}

void yaml_edit_scalar(struct yaml_edit *e, const struct yaml_node *scalar, const char *text)
{
	size_t from = yaml_offset(e->text, scalar->at), to = yaml_offset(e->text, scalar->end);

	if (scalar->kind != YAML_SCALAR || from >= to) {
		e->impossible = true;
		return;
	}
	if (view_equal_str(scalar->text, text))
		return;
	splice_add(e, from, to, edit_render(e, text, quote_at(e, from), true));
}

/* The end of a key. */
static size_t end_of_key(struct yaml_edit *e, const struct yaml_entry *entry)
{
	size_t at = yaml_offset(e->text, entry->key_at);
	char quote = quote_at(e, at);
	const char *end;

	if (!quote)
		return at + entry->key.len;
	end = memchr(e->text.data + at + 1, quote, e->text.len - at - 1);
	if (!end) {
		e->impossible = true;
		return at;
	}
	return (size_t)(end - e->text.data) + 1;
}

void yaml_edit_key(struct yaml_edit *e, const struct yaml_entry *entry, const char *text)
{
	size_t from = yaml_offset(e->text, entry->key_at);

	if (view_equal_str(entry->key, text))
		return;
	splice_add(
		e, from, end_of_key(e, entry), edit_render(e, text, quote_at(e, from), true));
}

/* The end of the colon of an entry of the root. */
static size_t end_of_colon(struct yaml_edit *e, const struct yaml_entry *entry)
{
	size_t at = end_of_key(e, entry);

	while (at < e->text.len && e->text.data[at] == ' ')
		at++;
	if (at >= e->text.len || e->text.data[at] != ':') {
		e->impossible = true;
		return at;
	}
	return at + 1;
}

/* --- lists ------------------------------------------------------------------------------ */

static struct yaml_place item_at(const struct yaml_node *list, size_t i)
{
	return list->kind == YAML_MAPPING ? list->entries[i].key_at : list->items[i]->at;
}

static struct yaml_place item_end(const struct yaml_node *list, size_t i)
{
	return list->kind == YAML_MAPPING ? list->entries[i].end : list->items[i]->end;
}

static size_t line_start(const struct yaml_edit *e, size_t line)
{
	return yaml_offset(e->text, (struct yaml_place){line, 1});
}

static void edit_append_item(
	struct yaml_edit *e, struct buf *out, const struct yaml_edit_new *item, bool flow)
{
	CLEANUP(freep) char *key = item->key ? edit_render(e, item->key, '\0', flow) : NULL;
	CLEANUP(freep) char *value = edit_render(e, item->value, '\0', flow);

	if (key)
		buf_appendf(out, "%s: %s", key, value);
	else
		buf_appendf(out, "%s%s", flow ? "" : "- ", value);
}

/* Lines with the items, each indented by this text. */
static void edit_append_lines(struct yaml_edit *e, struct buf *out, struct view indent,
	const struct yaml_edit_new *added, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_append(out, indent.data, indent.len);
		edit_append_item(e, out, &added[i], false);
		buf_append_char(out, '\n');
	}
}

/* New lines at the beginning of a line, or at the end of a text that lacks its last newline. */
static void edit_insert_lines(struct yaml_edit *e, size_t at, struct buf *lines)
{
	if (at == e->text.len && at && e->text.data[at - 1] != '\n')
		splice_add(e, at, at, xasprintf("\n%s", lines->data));
	else
		splice_add(e, at, at, xstrdup(lines->data));
}

static void edit_add_key(
	struct yaml_edit *e, const char *key, const struct yaml_edit_new *added, size_t count)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;

	buf_appendf(&lines, "%s:\n", key);
	edit_append_lines(e, &lines, view_of("  "), added, count);
	edit_insert_lines(e, yaml_offset(e->text, e->doc->end), &lines);
}

/* A value that is null, or empty brackets. */
static void edit_fill_empty(struct yaml_edit *e, const struct yaml_entry *entry,
	const struct yaml_edit_new *added, size_t count)
{
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	size_t from = end_of_colon(e, entry), to = yaml_offset(e->text, entry->end);

	buf_append_char(&lines, '\n');
	edit_append_lines(e, &lines, view_of("  "), added, count);
	buf_set_len(&lines, lines.len - 1);
	splice_add(e, from, to > from ? to : from, buf_take(&lines));
}

static size_t count_kept(const struct yaml_node *list, const bool *dropped)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		kept += !dropped || !dropped[i];
	return kept;
}

static void edit_flow_list(struct yaml_edit *e, const struct yaml_node *list,
	const bool *dropped, const struct yaml_edit_new *added, size_t count)
{
	size_t kept = count_kept(list, dropped), last = list->count;

	while (dropped && last > 0 && dropped[last - 1])
		last--;
	/* Removing an item also removes the text between it and the next one. */
	for (size_t i = 0; dropped && i < last; i++)
		if (dropped[i])
			splice_add(e, yaml_offset(e->text, item_at(list, i)),
				yaml_offset(e->text, item_at(list, i + 1)), xstrdup(""));
	if (last < list->count)
		splice_add(e,
			yaml_offset(
				e->text, last ? item_end(list, last - 1) : item_at(list, 0)),
			yaml_offset(e->text, item_end(list, list->count - 1)), xstrdup(""));
	if (count) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;
		size_t at = yaml_offset(e->text, list->end) - 1; /* before the bracket */

		for (size_t i = 0; i < count; i++) {
			buf_append_str(&text, kept || i ? ", " : "");
			edit_append_item(e, &text, &added[i], true);
		}
		splice_add(e, at, at, buf_take(&text));
	}
}

static void edit_block_list(struct yaml_edit *e, const struct yaml_entry *entry,
	const bool *dropped, const struct yaml_edit_new *added, size_t count)
{
	const struct yaml_node *list = entry->value;
	CLEANUP(buf_release) struct buf lines = BUF_INIT;
	size_t begin = line_start(e, item_at(list, 0).line);
	size_t end = line_start(e, item_end(list, list->count - 1).line + 1);
	struct view indent = view_slice(e->text, begin, begin);

	while (indent.data + indent.len < e->text.data + e->text.len &&
		indent.data[indent.len] == ' ')
		indent.len++;
	for (size_t i = 0; dropped && i < list->count; i++)
		if (dropped[i])
			splice_add(e, line_start(e, item_at(list, i).line),
				line_start(e, item_end(list, i).line + 1), xstrdup(""));
	edit_append_lines(e, &lines, indent, added, count);
	if (lines.len)
		edit_insert_lines(e, end, &lines);
	if (!count && !count_kept(list, dropped)) {
		size_t at = end_of_colon(e, entry);

		splice_add(e, at, at, xstrdup(list->kind == YAML_MAPPING ? " {}" : " []"));
	}
}

void yaml_edit_list(struct yaml_edit *e, const char *key, const bool *dropped,
	const struct yaml_edit_new *added, size_t count)
{
	const struct yaml_entry *entry = yaml_find(e->doc->root, view_of(key));

	if (!entry) {
		if (count)
			edit_add_key(e, key, added, count);
	} else if (entry->value->kind == YAML_SCALAR || !entry->value->count) {
		if (count)
			edit_fill_empty(e, entry, added, count);
	} else if (entry->value->flow) {
		edit_flow_list(e, entry->value, dropped, added, count);
	} else {
		edit_block_list(e, entry, dropped, added, count);
	}
}

void yaml_edit_field(struct yaml_edit *e, const char *key, const char *text)
{
	const struct yaml_node *node = yaml_get(e->doc->root, key);
	CLEANUP(buf_release) struct buf line = BUF_INIT;

	if (node) {
		yaml_edit_scalar(e, node, text);
		return;
	}
	edit_append_item(e, &line, &(struct yaml_edit_new){key, text}, true);
	buf_append_char(&line, '\n');
	edit_insert_lines(e, yaml_offset(e->text, e->doc->end), &line);
}

/* --- the end ---------------------------------------------------------------------------- */

/* At one place, removals come before insertions. */
static int compare_splices(const void *a, const void *b)
{
	const struct yaml_splice *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

int yaml_edit_finish(struct yaml_edit *e, struct buf *out, struct error *err)
{
	size_t at = 0;

	if (e->count)
		qsort(e->list, e->count, sizeof(*e->list), compare_splices);
	for (size_t i = 0; i < e->count && !e->impossible; i++) {
		const struct yaml_splice *s = &e->list[i];

		if (s->from < at || s->to < s->from) {
			e->impossible = true;
			break;
		}
		buf_append(out, e->text.data + at, s->from - at);
		buf_append_str(out, s->text);
		at = s->to;
	}
	if (e->impossible)
		return error_set(err, ERROR_INVALID,
			"'%s' is written in a way that cannot be edited", e->doc->name);
	buf_append(out, e->text.data + at, e->text.len - at);
	return 0;
}

void yaml_edit_release(struct yaml_edit *e)
{
	for (size_t i = 0; i < e->count; i++)
		free(e->list[i].text);
	free(e->list);
}
