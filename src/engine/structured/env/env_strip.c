#include <stdlib.h>
#include <string.h>

#include "engine/structured/env/env.h"

/* Releases before structured records wrote this above what any skill added. */
#define OLD_HEADING "# Added by skill"

/* An entry that is in the file as it was written. */
struct found_entry {
	struct view name;
	size_t first, last; /* its lines */
};

struct env_stripping {
	struct env_text env;
	bool *taken; /* by line: it is ours */
	struct found_entry *found;
	size_t found_count, found_cap;
	bool recorded; /* else v0.1 wrote the file */
};

static void env_stripping_release(struct env_stripping *s)
{
	env_text_release(&s->env);
	free(s->taken);
	free(s->found);
}

static bool is_blank(const struct env_stripping *s, size_t line)
{
	return env_line_is_blank(&s->env.lines[line]);
}

/* --- entries ----------------------------------------------------------------------------- */

/* Does the entry end with line `last`? `*ret_first` is then its first line. */
static bool is_entry(
	const struct env_stripping *s, size_t last, struct view entry, size_t *ret_first)
{
	size_t line = last + 1;

	while (entry.len) {
		const char *newline = memrchr(entry.data, '\n', entry.len);
		size_t start = newline ? (size_t)(newline - entry.data) + 1 : 0;

		if (!line || s->taken[line - 1] ||
			!view_equal(s->env.lines[line - 1].text,
				view_slice(entry, start, entry.len)))
			return false;
		line--;
		entry = view_slice(entry, 0, newline ? start - 1 : 0);
	}
	*ret_first = line;
	return true;
}

/* Remove the entry if it is between `start` and `end`. */
static bool take_entry(
	struct env_stripping *s, struct view name, struct view entry, size_t start, size_t end)
{
	size_t count, first;
	const struct env_place *places = env_text_places(&s->env, name, &count);

	for (size_t i = 0; i < count; i++) {
		if (places[i].line < start || places[i].line >= end ||
			!is_entry(s, places[i].line, entry, &first) || first < start)
			continue;
		memset(&s->taken[first], true, places[i].line + 1 - first);
		GROW(s->found, s->found_count, s->found_cap);
		s->found[s->found_count++] = (struct found_entry){name, first, places[i].line};
		return true;
	}
	return false;
}

/* The entries of a block: below its heading, or anywhere if that is gone. */
static void take_entries(
	struct env_stripping *s, struct view skill, const struct yaml_node *block)
{
	const struct yaml_node *entries = yaml_get_kind(block, "entries", YAML_MAPPING);
	size_t heading, start = 0, end = s->env.count;

	if (env_text_find_block(&s->env, skill, &heading, &end))
		start = heading + 1;
	for (size_t i = 0; i < entries->count; i++) {
		struct view name = entries->entries[i].key;
		struct view entry = entries->entries[i].value->text;
		const char *newline = entry.len ? memrchr(entry.data, '\n', entry.len) : NULL;

		if (!entry.len || take_entry(s, name, entry, start, end) || s->recorded ||
			!newline)
			continue;
		/* v0.1 wrote only the assignment. */
		entry = view_slice(entry, (size_t)(newline - entry.data) + 1, entry.len);
		take_entry(s, name, entry, start, end);
	}
}

static bool is_elsewhere(const struct env_stripping *s, struct view name)
{
	size_t count;
	const struct env_place *places = env_text_places(&s->env, name, &count);

	for (size_t i = 0; i < count; i++)
		if (!s->taken[places[i].line])
			return true;
	return false;
}

/*
 * Where a person has added another line for the variable, render() would not write ours again,
 * so ours becomes theirs as well. It may have a comment that reads as a line for yet another
 * variable; therefore this repeats until nothing changes.
 */
static void leave_what_is_elsewhere(struct env_stripping *s)
{
	size_t before;

	do {
		size_t kept = 0;

		before = s->found_count;
		for (size_t i = 0; i < before; i++) {
			struct found_entry entry = s->found[i];

			if (is_elsewhere(s, entry.name))
				memset(&s->taken[entry.first], false,
					entry.last + 1 - entry.first);
			else
				s->found[kept++] = entry;
		}
		s->found_count = kept;
	} while (s->found_count < before);
}

/* --- headings ---------------------------------------------------------------------------- */

/* If nothing in a block is a person's, it goes as a whole, with the heading. */
static void take_heading(
	struct env_stripping *s, struct view skill, const struct yaml_node *block)
{
	const struct yaml_node *entries = yaml_get_kind(block, "entries", YAML_MAPPING);
	size_t heading, end, last;

	if (!yaml_get_bool(block, "heading") ||
		!env_text_find_block(&s->env, skill, &heading, &end))
		return;
	/*
	 * The last line of the block is one that was taken, or one in the lines right below it
	 * that assigns one of its variables.
	 */
	last = heading;
	for (size_t i = heading + 1; i < end; i++)
		if (s->taken[i])
			last = i;
	for (size_t i = last + 1; i < end && !is_blank(s, i); i++)
		if (s->env.lines[i].name.len && yaml_find(entries, s->env.lines[i].name))
			last = i;
	for (size_t i = heading + 1; i <= last; i++)
		if (!s->taken[i] && !is_blank(s, i))
			return;
	memset(&s->taken[heading], true, last + 1 - heading);
	if ((!s->recorded || yaml_get_bool(block, "blank")) && heading &&
		is_blank(s, heading - 1))
		s->taken[heading - 1] = true;
}

/* The headings of v0.1 go with all that stood below them. */
static void take_old_headings(struct env_stripping *s)
{
	for (size_t i = 0; i < s->env.count; i++) {
		size_t next = i + 1;

		if (!view_equal_str(s->env.lines[i].text, OLD_HEADING))
			continue;
		while (next < s->env.count && s->taken[next])
			next++;
		if (next == i + 1 || (next < s->env.count && !is_blank(s, next)))
			continue;
		s->taken[i] = true;
		if (i && is_blank(s, i - 1))
			s->taken[i - 1] = true;
	}
}

/* --- the rest ---------------------------------------------------------------------------- */

/* If the variable is nowhere in the file, a person removed it. */
static void note_if_missing(const struct env_stripping *s, struct view name,
	struct yaml_doc *doc, struct yaml_node **unwanted)
{
	size_t count;
	const struct env_place *places = env_text_places(&s->env, name, &count);

	/* A comment of ours may look like an assignment. */
	for (size_t i = 0; i < count; i++)
		if (!s->taken[places[i].line] || !s->env.lines[places[i].line].commented)
			return;
	if (!*unwanted)
		*unwanted = yaml_new_sequence(doc);
	yaml_append(*unwanted, yaml_new_string_view(doc, name));
}

static struct yaml_node *find_unwanted(
	const struct env_stripping *s, const struct yaml_node *record, struct yaml_doc *doc)
{
	const struct yaml_node *blocks = yaml_get_kind(record, "blocks", YAML_MAPPING);
	const struct yaml_node *before = yaml_get_kind(record, "unwanted", YAML_SEQUENCE);
	struct yaml_node *unwanted = NULL;

	for (size_t i = 0; i < before->count; i++)
		if (before->items[i]->kind == YAML_SCALAR)
			note_if_missing(s, before->items[i]->text, doc, &unwanted);
	for (size_t i = 0; i < blocks->count; i++) {
		const struct yaml_node *entries =
			yaml_get_kind(blocks->entries[i].value, "entries", YAML_MAPPING);

		for (size_t k = 0; k < entries->count; k++)
			note_if_missing(s, entries->entries[k].key, doc, &unwanted);
	}
	return unwanted;
}

int env_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	CLEANUP(env_stripping_release) struct env_stripping s = {.recorded = record};
	CLEANUP(structured_output_release)
	struct structured_output as_declared = STRUCTURED_OUTPUT_INIT;
	const struct yaml_node *blocks;

	if (!record) {
		struct structured_input input = {.name = name,
			.own = view_of(""),
			.contributions = contributions,
			.contribution_count = count,
			.side = CLASH_FIRST};

		if (env_render(&input, doc, &as_declared, err) < 0)
			return -1;
		record = as_declared.record;
	}
	env_text_read(text, &s.env);
	s.taken = xcalloc(s.env.count + 1, sizeof(*s.taken));
	blocks = yaml_get_kind(record, "blocks", YAML_MAPPING);
	for (size_t i = 0; i < blocks->count; i++)
		take_entries(&s, blocks->entries[i].key, blocks->entries[i].value);
	leave_what_is_elsewhere(&s);
	for (size_t i = 0; i < blocks->count; i++)
		take_heading(&s, blocks->entries[i].key, blocks->entries[i].value);
	if (!s.recorded)
		take_old_headings(&s);
	*ret_unwanted = s.recorded ? find_unwanted(&s, record, doc) : NULL;
	env_text_append_rest(&s.env, s.taken, yaml_get_text(record, "open_end"), ret_own);
	return 0;
}
