#include "engine/structured/compose/compose.h"
#include "format/yaml_write.h"

/* libyaml looks no further than this for the ':' after a key. */
#define KEY_MAX 1000

struct writer {
	struct buf *out;
	size_t step;
	struct error *err;
};

static int write_value(
	struct writer *w, const struct yaml_node *node, size_t indent, bool quoted);

/* --- scalars ---------------------------------------------------------------------- */

/* A number, a bool or null stays as it was declared. */
static int append_text(
	struct buf *out, struct view text, bool plain, bool quoted, struct error *err)
{
	if (plain && !text.len)
		buf_append_str(out, "null");
	else if ((plain && yaml_plain_type(text) != YAML_STRING) ||
		 (!quoted && yaml_plain_safe(text)))
		buf_append(out, text.data, text.len);
	else
		return yaml_append_quoted(out, text, err);
	return 0;
}

static int append_key(
	struct buf *out, const struct yaml_entry *entry, bool quoted, struct error *err)
{
	size_t before = out->len;

	if (append_text(out, entry->key, entry->key_plain, quoted, err) < 0)
		return -1;
	if (out->len - before > KEY_MAX)
		return error_set(err, ERROR_INVALID,
			"a key of more than %d bytes cannot be written", KEY_MAX);
	return 0;
}

/* --- block style -------------------------------------------------------------------- */

static bool is_block(const struct yaml_node *node)
{
	return node->kind != YAML_SCALAR && node->count;
}

static int write_entry_value(
	struct writer *w, const struct yaml_node *value, size_t indent, bool quoted)
{
	buf_append_char(w->out, ':');
	if (is_block(value)) {
		buf_append_char(w->out, '\n');
		buf_append_repeated(w->out, ' ', indent + w->step);
	} else {
		buf_append_char(w->out, ' ');
	}
	return write_value(w, value, indent + w->step, quoted);
}

/* The first line is indented already: it may follow the '-' of an item. */
static int write_mapping(struct writer *w, const struct yaml_node *node, size_t indent)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct yaml_entry *entry = &node->entries[node->order[i]];
		bool ports = view_equal_str(entry->key, "ports") &&
			     entry->value->kind == YAML_SEQUENCE;

		if (i)
			buf_append_repeated(w->out, ' ', indent);
		if (append_key(w->out, entry, false, w->err) < 0 ||
			write_entry_value(w, entry->value, indent, ports) < 0)
			return -1;
	}
	return 0;
}

static int write_sequence(
	struct writer *w, const struct yaml_node *node, size_t indent, bool quoted)
{
	for (size_t i = 0; i < node->count; i++) {
		if (i)
			buf_append_repeated(w->out, ' ', indent);
		buf_append_str(w->out, "- ");
		if (write_value(w, node->items[i], indent + 2, quoted) < 0)
			return -1;
	}
	return 0;
}

static int write_value(
	struct writer *w, const struct yaml_node *node, size_t indent, bool quoted)
{
	if (is_block(node))
		return node->kind == YAML_MAPPING ? write_mapping(w, node, indent)
						  : write_sequence(w, node, indent, quoted);
	if (node->kind != YAML_SCALAR)
		buf_append_str(w->out, node->kind == YAML_MAPPING ? "{}" : "[]");
	else if (append_text(w->out, node->text, node->plain, quoted, w->err) < 0)
		return -1;
	buf_append_char(w->out, '\n');
	return 0;
}

int compose_write_block(const struct compose_file *file, const struct compose_section *section,
	const struct compose_item *item, struct buf *out, struct error *err)
{
	struct writer w = {.out = out, .step = file->step, .err = err};
	size_t indent = compose_section_indent(file, section);
	const struct yaml_node *skills = item->skills;

	for (size_t i = 0; i < skills->count; i++) {
		if (!i)
			buf_append_repeated(out, ' ', indent);
		buf_append_str(out, i ? ", " : skills->count == 1 ? "# skill: " : "# skills: ");
		buf_appendf(out, "%.*s", VIEW_ARGS(skills->items[i]->text));
	}
	if (skills->count)
		buf_append_char(out, '\n');
	buf_append_repeated(out, ' ', indent);
	if (append_text(out, item->name, false, false, err) < 0)
		return -1;
	return write_entry_value(&w, item->definition, indent, false);
}

/* --- flow style --------------------------------------------------------------------- */

int compose_write_flow_value(const struct yaml_node *value, struct buf *out, struct error *err)
{
	bool mapping = value->kind == YAML_MAPPING;

	if (value->kind == YAML_SCALAR)
		return append_text(out, value->text, value->plain, true, err);
	buf_append_char(out, mapping ? '{' : '[');
	for (size_t i = 0; i < value->count; i++) {
		if (i)
			buf_append_str(out, ", ");
		if (mapping) {
			if (append_key(out, &value->entries[value->order[i]], true, err) < 0)
				return -1;
			buf_append_str(out, ": ");
		}
		if (compose_write_flow_value(
			    mapping ? value->entries[value->order[i]].value : value->items[i],
			    out, err) < 0)
			return -1;
	}
	buf_append_char(out, mapping ? '}' : ']');
	return 0;
}

int compose_write_flow(const struct compose_item *item, struct buf *out, struct error *err)
{
	if (yaml_append_quoted(out, item->name, err) < 0)
		return -1;
	buf_append_str(out, ": ");
	if (item->definition)
		return compose_write_flow_value(item->definition, out, err);
	buf_append_str(out, "null");
	return 0;
}
