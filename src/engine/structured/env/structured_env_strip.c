#include <stdlib.h>
#include <string.h>

#include "engine/structured/env/structured_env_parts.h"

/* What engines before this one wrote above what any skill added. */
#define OLD_HEADING "# Added by skill"

/* An entry that was found as it was written. */
struct found_entry {
	struct view name;
	size_t first, last; /* its lines */
};

struct stripping {
	struct env_text env;
	bool *taken; /* by line: it is ours */
	struct found_entry *found;
	size_t found_count, found_cap;
	bool recorded; /* else an older engine wrote the file */
	struct yaml_doc *doc;
	struct yaml_node *unwanted;
};

static void stripping_release(struct stripping *s)
{
	env_text_release(&s->env);
	free(s->taken);
	free(s->found);
}

/* --- entries -------------------------------------------------------------------- */

/* Are the lines that end with line `last` those of the entry? Then `*ret_first` is set. */
static bool is_entry(
	const struct stripping *s, size_t last, struct view entry, size_t *ret_first)
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

/* Take the entry, if it is there between `start` and `end`. */
static bool take_entry(
	struct stripping *s, struct view name, struct view entry, size_t start, size_t end)
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

static bool is_elsewhere(const struct stripping *s, const struct found_entry *entry)
{
	size_t count;
	const struct env_place *places = env_text_places(&s->env, entry->name, &count);

	for (size_t i = 0; i < count; i++)
		if (!s->taken[places[i].line])
			return true;
	return false;
}

/*
 * Where a person has put in another line for the variable, ours would not be written
 * again beside it. So it is left to them as well. What is left may have a comment that
 * is a line for yet another variable; therefore until nothing changes any more.
 */
static void leave_what_is_elsewhere(struct stripping *s)
{
	size_t before;

	do {
		size_t kept = 0;

		before = s->found_count;
		for (size_t i = 0; i < before; i++) {
			struct found_entry entry = s->found[i];

			if (is_elsewhere(s, &entry))
				memset(&s->taken[entry.first], false,
					entry.last + 1 - entry.first);
			else
				s->found[kept++] = entry;
		}
		s->found_count = kept;
	} while (s->found_count < before);
}

/* Only the assignment, as older engines wrote it. */
static struct view last_line(struct view entry)
{
	const char *newline = memrchr(entry.data, '\n', entry.len);

	return newline ? view_slice(entry, (size_t)(newline - entry.data) + 1, entry.len)
		       : entry;
}

/* --- blocks --------------------------------------------------------------------- */

/*
 * The last line of the block: one that was taken, or one in the lines right below it
 * that assigns one of its variables.
 */
static size_t block_last(
	const struct stripping *s, const struct yaml_node *entries, size_t heading, size_t end)
{
	size_t last = heading;

	for (size_t i = heading + 1; i < end; i++)
		if (s->taken[i])
			last = i;
	for (size_t i = last + 1; i < end && !env_line_is_blank(&s->env.lines[i]); i++)
		if (s->env.lines[i].name.len && yaml_find(entries, s->env.lines[i].name))
			last = i;
	return last;
}

/* If nothing in the block is a person's, it goes as a whole. */
static void take_heading(
	struct stripping *s, const struct yaml_node *block, size_t heading, size_t last)
{
	const struct yaml_node *blank = yaml_get(block, "blank");
	bool blank_is_ours = !s->recorded || (blank && view_equal_str(blank->text, "true"));

	for (size_t i = heading + 1; i <= last; i++)
		if (!s->taken[i] && !env_line_is_blank(&s->env.lines[i]))
			return;
	memset(&s->taken[heading], true, last + 1 - heading);
	if (blank_is_ours && heading && env_line_is_blank(&s->env.lines[heading - 1]))
		s->taken[heading - 1] = true;
}

/* Where the lines of a block are to be looked for: anywhere, if its heading is gone. */
static size_t find_block(
	const struct stripping *s, struct view skill, size_t *ret_start, size_t *ret_end)
{
	size_t heading = env_find_heading(&s->env, skill);
	bool found = heading != SIZE_MAX;

	*ret_start = found ? heading + 1 : 0;
	*ret_end = found ? env_section_end(&s->env, heading) : s->env.count;
	return heading;
}

static void take_entries(struct stripping *s, struct view skill, const struct yaml_node *block)
{
	const struct yaml_node *entries = yaml_get(block, "entries");
	size_t start, end;

	find_block(s, skill, &start, &end);
	for (size_t i = 0; entries && entries->kind == YAML_MAPPING && i < entries->count;
		i++) {
		const struct yaml_entry *entry = &entries->entries[i];

		if (entry->value->kind != YAML_SCALAR)
			continue;
		if (!take_entry(s, entry->key, entry->value->text, start, end) && !s->recorded)
			take_entry(s, entry->key, last_line(entry->value->text), start, end);
	}
}

static void close_block(struct stripping *s, struct view skill, const struct yaml_node *block)
{
	const struct yaml_node *ours = yaml_get(block, "heading");
	size_t start, end, heading = find_block(s, skill, &start, &end);

	if (heading != SIZE_MAX && ours && view_equal_str(ours->text, "true"))
		take_heading(s, block, heading,
			block_last(s, yaml_get(block, "entries"), heading, end));
}

/* The headings of older engines go with all that stood below them. */
static void take_old_headings(struct stripping *s)
{
	for (size_t i = 0; i < s->env.count; i++) {
		size_t next = i + 1;

		if (!view_equal_str(s->env.lines[i].text, OLD_HEADING))
			continue;
		while (next < s->env.count && s->taken[next])
			next++;
		if (next == i + 1 ||
			(next < s->env.count && !env_line_is_blank(&s->env.lines[next])))
			continue;
		s->taken[i] = true;
		if (i && env_line_is_blank(&s->env.lines[i - 1]))
			s->taken[i - 1] = true;
	}
}

/* --- what is left --------------------------------------------------------------- */

/* Is the variable nowhere any more? Then a person has taken it out. */
static void note_missing(struct stripping *s, struct view name)
{
	size_t count;
	const struct env_place *places = env_text_places(&s->env, name, &count);

	/* A comment of ours that looks like an assignment is none. */
	for (size_t i = 0; i < count; i++)
		if (!s->taken[places[i].line] || !s->env.lines[places[i].line].commented)
			return;
	if (!s->unwanted)
		s->unwanted = yaml_new_sequence(s->doc);
	yaml_append(s->unwanted, yaml_new_string_view(s->doc, name));
}

static void find_unwanted(struct stripping *s, const struct yaml_node *record)
{
	const struct yaml_node *blocks = yaml_get(record, "blocks");
	const struct yaml_node *before = yaml_get(record, "unwanted");

	for (size_t i = 0; before && before->kind == YAML_SEQUENCE && i < before->count; i++)
		if (before->items[i]->kind == YAML_SCALAR)
			note_missing(s, before->items[i]->text);
	for (size_t i = 0; blocks && blocks->kind == YAML_MAPPING && i < blocks->count; i++) {
		const struct yaml_node *entries = yaml_get(blocks->entries[i].value, "entries");

		for (size_t j = 0;
			entries && entries->kind == YAML_MAPPING && j < entries->count; j++)
			note_missing(s, entries->entries[j].key);
	}
}

static void write_own(
	const struct stripping *s, const struct yaml_node *record, struct buf *out)
{
	const struct yaml_node *open_end = yaml_get(record, "open_end");
	size_t count = s->env.count;

	for (size_t i = 0; i < count; i++)
		if (!s->taken[i])
			buf_append(out, s->env.lines[i].whole.data, s->env.lines[i].whole.len);
	/* The newline at its end is ours only if we went on behind it. */
	if (!open_end || !count || !s->taken[count - 1])
		return;
	if (view_equal_str(open_end->text, "crlf") && view_ends_with(view_of_buf(out), "\r\n"))
		buf_set_len(out, out->len - 2);
	else if (view_ends_with(view_of_buf(out), "\n"))
		buf_set_len(out, out->len - 1);
}

static void strip_blocks(struct stripping *s, const struct yaml_node *record)
{
	const struct yaml_node *blocks = yaml_get(record, "blocks");
	size_t count = blocks && blocks->kind == YAML_MAPPING ? blocks->count : 0;

	for (size_t i = 0; i < count; i++)
		take_entries(s, blocks->entries[i].key, blocks->entries[i].value);
	leave_what_is_elsewhere(s);
	for (size_t i = 0; i < count; i++)
		close_block(s, blocks->entries[i].key, blocks->entries[i].value);
}

int structured_env_strip(const char *name, struct view text, const struct yaml_node *record,
	const struct contribution *contributions, size_t count, struct yaml_doc *doc,
	struct buf *ret_own, struct yaml_node **ret_unwanted, struct error *err)
{
	CLEANUP(stripping_release) struct stripping s = {.recorded = record, .doc = doc};
	CLEANUP(structured_output_release)
	struct structured_output as_declared = STRUCTURED_OUTPUT_INIT;

	if (!record) {
		struct structured_input input = {.name = name,
			.own = view_of(""),
			.contributions = contributions,
			.contribution_count = count,
			.side = CLASH_FIRST};

		if (structured_env_render(&input, doc, &as_declared, err) < 0)
			return -1;
		record = as_declared.record;
	}
	env_text_read(text, &s.env);
	s.taken = xcalloc(s.env.count + 1, sizeof(*s.taken));
	strip_blocks(&s, record);
	if (s.recorded)
		find_unwanted(&s, record);
	else
		take_old_headings(&s);
	write_own(&s, record, ret_own);
	*ret_unwanted = s.unwanted;
	return 0;
}
