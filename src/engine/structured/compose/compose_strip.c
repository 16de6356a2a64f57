#include <string.h>

#include "engine/structured/compose/compose.h"

struct stripper {
	struct compose_file *file;
	const struct yaml_node
		*record; /* NULL: an entry exactly as declared is a contribution */
	const struct contribution *contributions;
	size_t count;
	struct yaml_doc *doc;
	struct yaml_node *unwanted;
	struct yaml_node *needs; /* of the services in the file that are not contributions */
	bool at_end;             /* the end of the file was taken out */
};

/* The text of a record, or "". */
static const char *text_of(const struct yaml_node *record, const char *key)
{
	const char *text = yaml_get_text(record, key);

	return text ? text : "";
}

static void cut_text(struct stripper *s, size_t start, size_t end, const char *instead)
{
	s->at_end = s->at_end || end == s->file->text.len;
	compose_edit(s->file, start, end - start, instead);
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
	const struct yaml_entry *record = yaml_find(
		yaml_get(s->record, compose_kind_names[COMPOSE_SERVICES]), entry->key);

	if (s->record)
		return record && find_written(s, section, entry, text_of(record->value, "text"),
					 ret_start, ret_end);
	if (section->style != SECTION_BLOCK || !is_declared(s, entry))
		return false;
	compose_entry_span(s->file, section, entry, ret_start, ret_end);
	*ret_start = with_comment(s->file->text, *ret_start);
	return true;
}

static void find_needs_of_others(struct stripper *s)
{
	const struct yaml_node *services = s->file->sections[COMPOSE_SERVICES].value;
	size_t start, end;

	s->needs = yaml_new_mapping(s->doc);
	for (size_t i = 0; services && i < services->count; i++)
		if (!find_service(s, &services->entries[i], &start, &end))
			compose_add_needs(services->entries[i].value, s->needs);
}

/* --- recorded entries -------------------------------------------------------------------- */

static void note_unwanted(struct stripper *s, enum compose_kind kind, struct view name)
{
	struct yaml_node *names;

	if (!s->unwanted)
		s->unwanted = yaml_new_mapping(s->doc);
	names = yaml_need(s->unwanted, compose_kind_names[kind], YAML_SEQUENCE);
	if (!yaml_has_item(names, name))
		yaml_append(names, yaml_new_string_view(s->doc, name));
}

/*
 * In braces, the comma before an entry is removed with it. The first entry has none, so the
 * comma after it, or after the last entry removed together with it, must be removed.
 */
static void cut_commas(struct stripper *s)
{
	struct view text = s->file->text;
	struct compose_edit *edits = s->file->edits;
	size_t count = s->file->edit_count;

	for (size_t i = 0; i < count; i++) {
		size_t last = i, end;

		if (*edits[i].text || !edits[i].len || text.data[edits[i].at] != '"')
			continue;
		while (last + 1 < count && !*edits[last + 1].text &&
			edits[last + 1].at == edits[last].at + edits[last].len)
			last++;
		end = edits[last].at + edits[last].len;
		if (end >= text.len || text.data[end] != ',')
			continue;
		edits[last].len++;
		while (++end < text.len && text.data[end] == ' ')
			edits[last].len++;
	}
}

static void strip_recorded(
	struct stripper *s, enum compose_kind kind, const struct yaml_entry *recorded)
{
	const struct compose_section *section = &s->file->sections[kind];
	const struct yaml_node *record = recorded->value;
	const struct yaml_entry *entry = compose_find(s->file, kind, recorded->key);
	const char *written = text_of(record, "text");
	bool used = kind != COMPOSE_SERVICES && !yaml_get(record, "own") &&
		    compose_has_need(s->needs, kind, recorded->key);
	size_t start, end;

	if (!entry && !*written) {
		/* An own service that was decided against is put back after the others. */
		if (section->style == SECTION_BLOCK || section->style == SECTION_EMPTY)
			compose_edit(s->file, compose_section_end(s->file, section), 0,
				text_of(record, "was"));
	} else if (entry && !used && find_written(s, section, entry, written, &start, &end)) {
		cut_text(s, start, end, text_of(record, "was"));
	} else if (!entry || kind == COMPOSE_SERVICES) {
		note_unwanted(s, kind, recorded->key);
	}
}

static void strip_by_record(struct stripper *s)
{
	const struct yaml_node *unwanted = yaml_get(s->record, "unwanted");

	find_needs_of_others(s);
	for (size_t kind = 0; kind < COMPOSE_KINDS; kind++) {
		const char *name = compose_kind_names[kind];
		const struct yaml_node *before = yaml_get_kind(unwanted, name, YAML_SEQUENCE);

		for (size_t i = 0; i < before->count; i++)
			if (before->items[i]->kind == YAML_SCALAR)
				note_unwanted(s, kind, before->items[i]->text);
	}
	for (size_t kind = 0; kind < COMPOSE_KINDS; kind++) {
		const struct yaml_node *names =
			yaml_get_kind(s->record, compose_kind_names[kind], YAML_MAPPING);

		for (size_t i = 0; i < names->count; i++)
			strip_recorded(s, kind, &names->entries[names->order[i]]);
	}
	cut_commas(s);
}

/* --- entries as declared ----------------------------------------------------------------- */

/* Volumes or networks without a definition, which no other service needs. */
static void strip_needs(
	struct stripper *s, enum compose_kind kind, const struct yaml_node *needs)
{
	const struct compose_section *section = &s->file->sections[kind];
	const struct yaml_node *names =
		yaml_get_kind(needs, compose_kind_names[kind], YAML_MAPPING);

	for (size_t i = 0; section->style == SECTION_BLOCK && i < names->count; i++) {
		struct view name = names->entries[i].key;
		const struct yaml_entry *entry = compose_find(s->file, kind, name);
		size_t start, end;

		if (!entry || compose_has_need(s->needs, kind, name) ||
			!(yaml_is_null(entry->value) ||
				(entry->value->kind == YAML_MAPPING && !entry->value->count)))
			continue;
		compose_entry_span(s->file, section, entry, &start, &end);
		cut_text(s, with_comment(s->file->text, start), end, "");
	}
}

static void strip_by_declaration(struct stripper *s)
{
	const struct yaml_node *services = s->file->sections[COMPOSE_SERVICES].value;
	struct yaml_node *needs = yaml_new_mapping(s->doc);
	size_t start, end;

	find_needs_of_others(s);
	for (size_t i = 0; services && i < services->count; i++)
		if (find_service(s, &services->entries[i], &start, &end)) {
			cut_text(s, start, end, "");
			compose_add_needs(services->entries[i].value, needs);
		}
	strip_needs(s, COMPOSE_VOLUMES, needs);
	strip_needs(s, COMPOSE_NETWORKS, needs);
}

/* --- sections that were made ------------------------------------------------------------- */

/* Once the entries are out: is nothing left in a section that was made for them? */
static void strip_sections(struct stripper *s)
{
	const struct yaml_node *made = yaml_get(s->record, "made");
	const struct yaml_node *instead = yaml_get(s->record, "instead");

	for (size_t kind = 0; kind < COMPOSE_KINDS; kind++) {
		const struct compose_section *section = &s->file->sections[kind];
		bool empty = section->style == SECTION_EMPTY;
		const char *written = text_of(made, section->name);
		size_t start, end;

		if (!empty && (section->style != SECTION_FLOW || section->value->count))
			continue;
		end = yaml_offset(s->file->text, section->entry->end);
		if (!yaml_get(made, section->name)) {
			if (empty && instead)
				compose_edit(s->file, end, 0, text_of(instead, section->name));
			continue;
		}
		if (empty)
			end = compose_next_line(s->file->text, end);
		if (*written && compose_ends_with(s->file->text, end, view_of(written), &start))
			cut_text(s, start, end, "");
	}
}

/* --- the steps --------------------------------------------------------------------------- */

static int strip_step(struct stripper *s, const char *name, struct view text,
	void (*step)(struct stripper *s), struct buf *ret_text, struct error *err)
{
	CLEANUP(compose_file_release) struct compose_file file = COMPOSE_FILE_INIT;

	if (compose_file_parse(text, name, &file, err) < 0)
		return -1;
	s->file = &file;
	step(s);
	return compose_file_write(&file, ret_text, err) < 0 ? error_prefix(err, "%s", name) : 0;
}

int compose_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	struct stripper s = {
		.record = record,
		.contributions = contributions,
		.count = count,
		.doc = doc,
	};
	CLEANUP(buf_release) struct buf entries_out = BUF_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	bool nothing = record ? record->kind != YAML_MAPPING || !record->count : !count;

	if (nothing) {
		buf_append(&own, text.data, text.len);
	} else if (!record) {
		if (strip_step(&s, name, text, strip_by_declaration, &own, err) < 0)
			return -1;
	} else if (strip_step(&s, name, text, strip_by_record, &entries_out, err) < 0 ||
		   strip_step(&s, name, view_of_buf(&entries_out), strip_sections, &own, err) <
			   0) {
		return -1;
	}
	if (!nothing && yaml_get(record, "newline") && s.at_end) {
		if (view_ends_with(view_of_buf(&own), "\n"))
			buf_set_len(&own, own.len - 1);
		if (view_ends_with(view_of_buf(&own), "\r"))
			buf_set_len(&own, own.len - 1);
	}
	buf_append(ret_own, own.data, own.len);
	*ret_unwanted = s.unwanted;
	return 0;
}
