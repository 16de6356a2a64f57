#include <string.h>

#include "engine/structured/compose/compose.h"

#define DEFAULT_STEP 2
#define MAX_STEP     8

const char *const compose_kind_names[COMPOSE_KINDS] = {"services", "volumes", "networks"};

/* --- lines ------------------------------------------------------------------------ */

static bool is_break(char c)
{
	return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

size_t compose_line_start(struct view text, size_t at)
{
	while (at > 0 && !is_break(text.data[at - 1]))
		at--;
	return at;
}

size_t compose_next_line(struct view text, size_t at)
{
	while (at < text.len && !is_break(text.data[at]))
		at++;
	if (at + 1 < text.len && text.data[at] == '\r' && text.data[at + 1] == '\n')
		return at + 2;
	return at < text.len ? at + 1 : at;
}

/* The line end that the file uses first. */
static const char *find_newline(struct view text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\n')
			return "\n";
		if (text.data[i] == '\r')
			return i + 1 < text.len && text.data[i + 1] == '\n' ? "\r\n" : "\r";
	}
	return "\n";
}

static size_t skip_blanks(struct view text, size_t at)
{
	while (at < text.len && is_blank(text.data[at]))
		at++;
	return at;
}

/* --- reading ---------------------------------------------------------------------- */

static int read_section(
	struct compose_file *file, struct compose_section *section, struct error *err)
{
	const struct yaml_node *value;
	struct yaml_place key_at;

	section->entry = yaml_find(file->root, view_of(section->name));
	if (!section->entry)
		return 0;
	value = section->entry->value;
	key_at = section->entry->key_at;
	if (value->at.line < key_at.line ||
		(value->at.line == key_at.line && value->at.column < key_at.column))
		section->style = SECTION_ALIAS; /* the value is before its key */
	else if (yaml_is_null(value))
		section->style = SECTION_EMPTY;
	else if (value->kind == YAML_MAPPING)
		section->style = value->flow ? SECTION_FLOW : SECTION_BLOCK;
	else
		return yaml_error(value, err, "'%s' must be a mapping", section->name);
	section->value = value->kind == YAML_MAPPING ? value : NULL;
	return 0;
}

/* By how much the first mapping below the root is indented. */
static size_t find_step(const struct compose_file *file)
{
	for (size_t i = 0; file->root && i < file->root->count; i++) {
		const struct yaml_node *value = file->root->entries[i].value;
		size_t column;

		if (value->kind != YAML_MAPPING || value->flow || !value->count)
			continue;
		column = value->entries[0].key_at.column;
		if (column > file->indent + 1 && column - file->indent - 1 <= MAX_STEP)
			return column - file->indent - 1;
	}
	return DEFAULT_STEP;
}

int compose_file_parse(
	struct view text, const char *name, struct compose_file *ret_file, struct error *err)
{
	const struct yaml_limits limits = {.size = STRUCTURED_MAX_FILE};
	CLEANUP(compose_file_release) struct compose_file file = {.text = text};
	const struct yaml_node *root;

	if (yaml_parse_limited(text, name, &limits, &file.doc, err) < 0)
		return -1;
	root = file.doc->root;
	if (root->kind == YAML_MAPPING)
		file.root = root;
	else if (!yaml_is_null(root))
		return yaml_error(root, err, "a compose file must be a mapping");
	if (file.root && !root->flow && root->count)
		file.indent = root->entries[0].key_at.column - 1;
	file.newline = find_newline(text);
	file.step = find_step(&file);
	for (size_t i = 0; i < COMPOSE_KINDS; i++) {
		file.sections[i].name = compose_kind_names[i];
		if (read_section(&file, &file.sections[i], err) < 0)
			return -1;
	}
	*ret_file = file;
	file.doc = NULL;
	return 0;
}

void compose_file_release(struct compose_file *file)
{
	yaml_doc_free(file->doc);
	*file = COMPOSE_FILE_INIT;
}

const struct yaml_entry *compose_find(
	const struct compose_file *file, enum compose_kind kind, struct view name)
{
	return yaml_find(file->sections[kind].value, name);
}

/* --- places ------------------------------------------------------------------------- */

/* The text of a block scalar ends where the next line starts. */
static size_t line_behind(struct view text, size_t end)
{
	if (end > 0 && end <= text.len && is_break(text.data[end - 1]))
		return end;
	return compose_next_line(text, end);
}

/* Comments that are indented further than the key of the section belong to it. */
size_t compose_section_end(
	const struct compose_file *file, const struct compose_section *section)
{
	struct view text = file->text;
	size_t end = line_behind(text, yaml_offset(text, section->entry->end));

	for (size_t at = end; at < text.len; at = compose_next_line(text, at)) {
		size_t start = at;

		while (start < text.len && text.data[start] == ' ')
			start++;
		if (start < text.len && text.data[start] == '#' && start - at > file->indent)
			end = compose_next_line(text, at);
		else if (skip_blanks(text, start) < text.len &&
			 !is_break(text.data[skip_blanks(text, start)]))
			break;
	}
	return end;
}

size_t compose_section_indent(
	const struct compose_file *file, const struct compose_section *section)
{
	if (section->style == SECTION_BLOCK && section->value->count)
		return section->value->entries[0].key_at.column - 1;
	return file->indent + file->step;
}

/* Past comments and line ends. */
static size_t skip_space(struct view text, size_t at)
{
	while (at < text.len) {
		if (text.data[at] == '#')
			at = compose_next_line(text, at);
		else if (is_blank(text.data[at]) || is_break(text.data[at]))
			at++;
		else
			break;
	}
	return at;
}

size_t compose_flow_end(
	const struct compose_file *file, const struct yaml_node *mapping, struct buf *separator)
{
	struct view text = file->text;
	const struct yaml_entry *last;
	size_t at, comma, key, line;

	if (!mapping->count)
		return yaml_offset(text, mapping->end) - 1;
	last = &mapping->entries[mapping->count - 1];
	at = yaml_offset(text, last->end);
	comma = skip_space(text, at);
	if (comma < text.len && text.data[comma] == ',')
		at = comma + 1;
	else
		buf_append_char(separator, ',');
	key = yaml_offset(text, last->key_at);
	line = compose_line_start(text, key);
	if (skip_blanks(text, line) >= key) {
		buf_append_char(separator, '\n');
		buf_append(separator, text.data + line, key - line);
	} else {
		buf_append_char(separator, ' ');
	}
	return at;
}

void compose_entry_span(const struct compose_file *file, const struct compose_section *section,
	const struct yaml_entry *entry, size_t *ret_start, size_t *ret_end)
{
	size_t start = yaml_offset(file->text, entry->key_at);
	size_t end = yaml_offset(file->text, entry->end);

	if (section->style == SECTION_BLOCK) {
		start = compose_line_start(file->text, start);
		end = line_behind(file->text, end);
	}
	*ret_start = start;
	*ret_end = end;
}

bool compose_ends_with(struct view text, size_t end, struct view written, size_t *ret_start)
{
	size_t at = end;

	for (size_t i = written.len; i-- > 0;) {
		char c = written.data[i];

		if (!at)
			return false;
		at--;
		if (c == '\n' ? !is_break(text.data[at]) : text.data[at] != c)
			return false;
		if (c == '\n' && text.data[at] == '\n' && at && text.data[at - 1] == '\r')
			at--;
	}
	*ret_start = at;
	return true;
}

/* --- edits ------------------------------------------------------------------------------- */

void compose_edit(struct compose_file *file, size_t at, size_t len, const char *text)
{
	struct arena *arena = &file->doc->arena;
	size_t i = file->edit_count;

	file->edits = arena_grow(
		arena, file->edits, file->edit_count, &file->edit_cap, sizeof(*file->edits));
	for (; i > 0 && file->edits[i - 1].at > at; i--)
		file->edits[i] = file->edits[i - 1];
	file->edits[i] = (struct compose_edit){at, len, arena_copy(arena, text, strlen(text))};
	file->edit_count++;
}

int compose_file_write(const struct compose_file *file, struct buf *out, struct error *err)
{
	struct view text = file->text;
	size_t at = 0;

	for (size_t i = 0; i < file->edit_count; i++) {
		const struct compose_edit *edit = &file->edits[i];

		if (edit->at < at || edit->at + edit->len > text.len)
			return error_set(err, ERROR_INVALID,
				"two entries are on one line; write each on its own lines");
		buf_append(out, text.data + at, edit->at - at);
		buf_append_str(out, edit->text);
		at = edit->at + edit->len;
	}
	buf_append(out, text.data + at, text.len - at);
	return 0;
}
