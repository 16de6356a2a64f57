#include <string.h>

#include "engine/structured/compose/compose_file.h"
#include "engine/structured/compose/compose_needs.h"
#include "engine/structured/compose/compose_parts.h"

struct stripper {
	const struct compose_file *file;
	const struct yaml_node *record; /* NULL: what is as declared is a contribution */
	const struct contribution *contributions;
	size_t count;
	struct yaml_doc *doc;
	struct yaml_node *unwanted;
	struct compose_edits edits;
	bool at_end; /* the end of the file was taken out */
};

static void stripper_release(struct stripper *s)
{
	compose_edits_release(&s->edits);
}

static const char *text_of(const struct yaml_node *record, const char *key)
{
	const struct yaml_node *node = yaml_get(record, key);

	return node && node->kind == YAML_SCALAR ? node->text.data : "";
}

static void cut(struct stripper *s, size_t start, size_t end, const char *instead)
{
	s->at_end = s->at_end || end == s->file->text.len;
	compose_edit(&s->edits, start, end - start, instead);
}

/* --- as it was written ------------------------------------------------------------------ */

/* Where the text of an entry is, with the comment above it, if it is still as recorded. */
static bool find_written(const struct stripper *s, const struct compose_section *section,
	const struct yaml_entry *entry, const char *written, size_t *ret_start, size_t *ret_end)
{
	size_t start, end;

	compose_entry_span(s->file, section, entry, &start, &end);
	if (!*written || !compose_ends_with(s->file->text, end, view_of(written), ret_start) ||
		*ret_start > start)
		return false;
	*ret_end = end;
	return true;
}

static const struct yaml_entry *find_entry(
	const struct stripper *s, enum compose_kind kind, struct view name)
{
	const struct yaml_node *value = s->file->sections[kind].value;

	return value ? yaml_find(value, name) : NULL;
}

static const struct yaml_node *recorded(
	const struct stripper *s, enum compose_kind kind, struct view name)
{
	const struct yaml_node *names = yaml_get(s->record, compose_kind_names[kind]);
	const struct yaml_entry *entry =
		names && names->kind == YAML_MAPPING ? yaml_find(names, name) : NULL;

	return entry ? entry->value : NULL;
}

/* Above an entry without a record: the comment that names its skills. */
static size_t with_comment(struct view text, size_t start)
{
	size_t above;
	struct view line;

	if (!start)
		return start;
	above = compose_line_start(text,
		start - 1 - (start > 1 && view_ends_with(view_slice(text, 0, start), "\r\n")));
	line = view_trim(view_slice(text, above, start));
	return view_starts_with(line, "# skill: ") || view_starts_with(line, "# skills: ")
		       ? above
		       : start;
}

static bool is_declared(const struct stripper *s, const struct yaml_entry *entry)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct yaml_node *declared = s->contributions[i].declared;
		const struct yaml_entry *service =
			declared->kind == YAML_MAPPING ? yaml_find(declared, entry->key) : NULL;

		if (service && yaml_equal(service->value, entry->value))
			return true;
	}
	return false;
}

/* Whether this service, which is in the file, is a contribution as it was written. */
static bool find_service(const struct stripper *s, const struct yaml_entry *entry,
	size_t *ret_start, size_t *ret_end)
{
	const struct compose_section *section = &s->file->sections[COMPOSE_SERVICES];
	const struct yaml_node *record;

	if (s->record) {
		record = recorded(s, COMPOSE_SERVICES, entry->key);
		return record && find_written(s, section, entry, text_of(record, "text"),
					 ret_start, ret_end);
	}
	if (section->style != SECTION_BLOCK || !is_declared(s, entry))
		return false;
	compose_entry_span(s->file, section, entry, ret_start, ret_end);
	*ret_start = with_comment(s->file->text, *ret_start);
	return true;
}

/* Does a service use it that is not a contribution? */
static bool used_by_others(const struct stripper *s, enum compose_kind kind, struct view name)
{
	const struct yaml_node *services = s->file->sections[COMPOSE_SERVICES].value;
	size_t start, end;

	for (size_t i = 0; services && i < services->count; i++)
		if (compose_needs_one(services->entries[i].value, kind, name) &&
			!find_service(s, &services->entries[i], &start, &end))
			return true;
	return false;
}

/* --- taking out what is recorded --------------------------------------------------------- */

static void note_unwanted(struct stripper *s, enum compose_kind kind, struct view name)
{
	struct yaml_node *names;

	if (!s->unwanted)
		s->unwanted = yaml_new_mapping(s->doc);
	names = yaml_need(s->unwanted, compose_kind_names[kind], YAML_SEQUENCE);
	for (size_t i = 0; i < names->count; i++)
		if (view_equal(names->items[i]->text, name))
			return;
	yaml_append(names, yaml_new_string_view(s->doc, name));
}

/* What was unwanted before is so still. */
static void keep_unwanted(struct stripper *s)
{
	const struct yaml_node *unwanted = yaml_get(s->record, "unwanted");

	for (size_t kind = 0; unwanted && kind < COMPOSE_KINDS; kind++) {
		const struct yaml_node *names = yaml_get(unwanted, compose_kind_names[kind]);

		for (size_t i = 0; names && names->kind == YAML_SEQUENCE && i < names->count;
			i++)
			if (names->items[i]->kind == YAML_SCALAR)
				note_unwanted(s, kind, names->items[i]->text);
	}
}

/* Where the entries end that are taken out one right behind the other. */
static size_t last_of_run(const struct compose_edits *edits, size_t i)
{
	while (i + 1 < edits->count && !*edits->list[i + 1].text &&
		edits->list[i + 1].at == edits->list[i].at + edits->list[i].len)
		i++;
	return i;
}

/*
 * In braces, an entry has its comma before it, and so goes with it. Only the first one
 * has none: what is behind it then must lose its own.
 */
static void cut_commas(struct stripper *s)
{
	struct view text = s->file->text;

	for (size_t i = 0; i < s->edits.count; i++) {
		struct compose_edit *edit = &s->edits.list[i];
		size_t end;

		if (*edit->text || !edit->len || text.data[edit->at] != '"')
			continue;
		edit = &s->edits.list[last_of_run(&s->edits, i)];
		end = edit->at + edit->len;
		if (end >= text.len || text.data[end] != ',')
			continue;
		edit->len++;
		while (++end < text.len && text.data[end] == ' ')
			edit->len++;
	}
}

/* An own service that was decided against stands at the end of the others again. */
static void put_back(struct stripper *s, const struct yaml_node *record)
{
	const struct compose_section *section = &s->file->sections[COMPOSE_SERVICES];

	if (section->style == SECTION_BLOCK || section->style == SECTION_EMPTY)
		compose_edit(&s->edits, compose_section_end(s->file, section), 0,
			text_of(record, "was"));
}

static void strip_recorded(
	struct stripper *s, enum compose_kind kind, const struct yaml_entry *name_and_record)
{
	const struct yaml_node *record = name_and_record->value;
	const struct yaml_entry *entry = find_entry(s, kind, name_and_record->key);
	const char *written = text_of(record, "text");
	bool used = kind != COMPOSE_SERVICES && !yaml_get(record, "own") &&
		    used_by_others(s, kind, name_and_record->key);
	size_t start, end;

	if (!entry && !*written)
		put_back(s, record);
	else if (entry && !used &&
		 find_written(s, &s->file->sections[kind], entry, written, &start, &end))
		cut(s, start, end, text_of(record, "was"));
	else if (!entry || kind == COMPOSE_SERVICES)
		note_unwanted(s, kind, name_and_record->key);
}

static void strip_by_record(struct stripper *s)
{
	keep_unwanted(s);
	for (size_t kind = 0; kind < COMPOSE_KINDS; kind++) {
		const struct yaml_node *names = yaml_get(s->record, compose_kind_names[kind]);

		if (names && names->kind == YAML_MAPPING)
			for (size_t i = 0; i < names->count; i++)
				strip_recorded(s, kind, &names->entries[names->order[i]]);
	}
	cut_commas(s);
}

/* --- taking out what is as declared --------------------------------------------------------
 */

static bool is_nothing(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR ? yaml_is_null(node)
					 : node->kind == YAML_MAPPING && !node->count;
}

static bool already_cut(const struct stripper *s, size_t start)
{
	for (size_t i = 0; i < s->edits.count; i++)
		if (s->edits.list[i].at == start)
			return true;
	return false;
}

static void strip_need(enum compose_kind kind, struct view name, void *data)
{
	struct stripper *s = data;
	const struct compose_section *section = &s->file->sections[kind];
	const struct yaml_entry *entry = find_entry(s, kind, name);
	size_t start, end;

	if (!entry || section->style != SECTION_BLOCK || !is_nothing(entry->value) ||
		used_by_others(s, kind, name))
		return;
	compose_entry_span(s->file, section, entry, &start, &end);
	start = with_comment(s->file->text, start);
	if (!already_cut(s, start))
		cut(s, start, end, "");
}

static void strip_by_declaration(struct stripper *s)
{
	const struct yaml_node *services = s->file->sections[COMPOSE_SERVICES].value;
	size_t start, end;

	for (size_t i = 0; services && i < services->count; i++)
		if (find_service(s, &services->entries[i], &start, &end)) {
			cut(s, start, end, "");
			compose_needs(services->entries[i].value, strip_need, s);
		}
}

/* --- sections that were made ---------------------------------------------------------------
 */

static void strip_made(
	struct stripper *s, const struct compose_section *section, const char *written)
{
	size_t end = yaml_offset(s->file->text, section->entry->end);
	size_t start;

	if (section->style == SECTION_EMPTY)
		end = compose_next_line(s->file->text, end);
	if (*written && compose_ends_with(s->file->text, end, view_of(written), &start))
		cut(s, start, end, "");
}

/* Once the entries are out: is nothing left in a section that was made for them? */
static void strip_sections(struct stripper *s)
{
	const struct yaml_node *made = yaml_get(s->record, "made");
	const struct yaml_node *instead = yaml_get(s->record, "instead");

	for (size_t kind = 0; kind < COMPOSE_KINDS; kind++) {
		const struct compose_section *section = &s->file->sections[kind];

		if (section->style != SECTION_EMPTY &&
			(section->style != SECTION_FLOW || section->value->count))
			continue;
		if (made && yaml_get(made, section->name))
			strip_made(s, section, text_of(made, section->name));
		else if (instead && section->style == SECTION_EMPTY)
			compose_edit(&s->edits, yaml_offset(s->file->text, section->entry->end),
				0, text_of(instead, section->name));
	}
}

static void strip_last_newline(struct buf *text)
{
	if (text->len && text->data[text->len - 1] == '\n')
		buf_set_len(text, text->len - 1);
	if (text->len && text->data[text->len - 1] == '\r')
		buf_set_len(text, text->len - 1);
}

/* --- both steps ------------------------------------------------------------------------------
 */

static int strip_step(struct stripper *s, const char *name, struct view text,
	void (*step)(struct stripper *s), struct buf *ret_text, struct error *err)
{
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	if (compose_file_read(text, name, &file, err) < 0)
		return -1;
	s->file = &file;
	step(s);
	if (compose_edits_apply(&s->edits, text, &out, err) < 0)
		return error_prefix(err, "%s", name);
	compose_edits_release(&s->edits);
	*ret_text = out;
	out = BUF_INIT;
	return 0;
}

static bool has_nothing(const struct yaml_node *record, size_t contributions)
{
	return record ? record->kind != YAML_MAPPING || !record->count : !contributions;
}

int compose_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	CLEANUP(stripper_release)
	struct stripper s = {
		.record = record,
		.contributions = contributions,
		.count = count,
		.doc = doc,
	};
	CLEANUP(buf_release) struct buf entries_out = BUF_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;

	if (has_nothing(record, count)) {
		buf_append(&own, text.data, text.len);
	} else if (!record) {
		if (strip_step(&s, name, text, strip_by_declaration, &own, err) < 0)
			return -1;
	} else {
		if (strip_step(&s, name, text, strip_by_record, &entries_out, err) < 0 ||
			strip_step(&s, name, view_of_buf(&entries_out), strip_sections, &own,
				err) < 0)
			return -1;
		if (yaml_get(record, "newline") && s.at_end)
			strip_last_newline(&own);
	}
	buf_append(ret_own, own.data, own.len);
	*ret_unwanted = s.unwanted;
	return 0;
}
