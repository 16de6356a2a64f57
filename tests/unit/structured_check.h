/*
 * What must hold for every format of structured files (engine/structured_format.h), for
 * the unit tests of the formats. Skills are given as a YAML mapping from their names to
 * what they declare:
 *
 *	CLEANUP(skills_release) struct skills skills = skills_of("a: [X]\nb: [Y]\n");
 *
 *	assert_rendered(&structured_env, "OWN=1\n", &skills, "OWN=1\n\n# Skill: a…");
 */
#ifndef UNIT_STRUCTURED_CHECK_H
#define UNIT_STRUCTURED_CHECK_H

#include "test.h"

#include <stdio.h>
#include <string.h>

#include "engine/package/structured_format.h"
#include "format/yaml_write.h"

#define MAX_SKILLS 4

struct skills {
	struct yaml_doc *doc;
	struct contribution list[MAX_SKILLS];
	size_t count;
};

static void skills_release(struct skills *skills)
{
	yaml_doc_free(skills->doc);
}

/* In the order of their names, which the caller of a format sees to. */
static struct skills skills_of(const char *yaml)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct skills skills = {0};

	if (yaml_parse(view_of(yaml), "skills", &skills.doc, &err) < 0)
		fail_msg("%s\n%s", err.message, yaml);
	for (size_t i = 0; i < skills.doc->root->count; i++) {
		const struct yaml_node *root = skills.doc->root;
		const struct yaml_entry *entry = &root->entries[root->order[i]];

		assert_true(skills.count < MAX_SKILLS);
		skills.list[skills.count++] =
			(struct contribution){entry->key.data, entry->value};
	}
	return skills;
}

/* A file that was rendered, and what the caller keeps beside it. */
struct rendered {
	struct yaml_doc *doc;
	struct structured_output output;
};

static void rendered_release(struct rendered *rendered)
{
	structured_output_release(&rendered->output);
	yaml_doc_free(rendered->doc);
}

static struct rendered render(
	const struct structured_format *format, const struct structured_input *input)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct rendered rendered = {
		.doc = yaml_doc_new("state"), .output = STRUCTURED_OUTPUT_INIT};

	if (format->render(input, rendered.doc, &rendered.output, &err) < 0)
		fail_msg("%s", err.message);
	assert_non_null(rendered.output.record);
	assert_non_null(rendered.output.outcome);
	return rendered;
}

static struct structured_input input_of(const struct structured_format *format, struct view own,
	const struct contribution *list, size_t count)
{
	return (struct structured_input){
		.name = format->names[0],
		.own = own,
		.contributions = list,
		.contribution_count = count,
		.side = CLASH_FIRST,
	};
}

struct stripped {
	struct yaml_doc *doc;
	struct buf own;
	struct yaml_node *unwanted;
};

static void stripped_release(struct stripped *stripped)
{
	buf_release(&stripped->own);
	yaml_doc_free(stripped->doc);
}

static struct stripped strip(const struct structured_format *format, struct view text,
	const struct yaml_node *record, const struct contribution *list, size_t count)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct stripped stripped = {.doc = yaml_doc_new("state"), .own = BUF_INIT};

	if (format->strip(format->names[0], text, record, list, count, stripped.doc,
		    &stripped.own, &stripped.unwanted, &err) < 0)
		fail_msg("%s", err.message);
	return stripped;
}

/* Through the text of a state file, as it is kept between two commands. */
static struct yaml_doc *through_text(const struct yaml_node *node)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct yaml_doc *doc = NULL;

	if (yaml_write(node, &text, &err) < 0 ||
		yaml_parse(view_of_buf(&text), "state", &doc, &err) < 0)
		fail_msg("%s\n%s", err.message, text.data);
	return doc;
}

static void assert_same(const struct buf *found, struct view expected)
{
	CLEANUP(freep) char *copy = xmemdupz(expected.data, expected.len);

	if (found->len == expected.len)
		assert_memory_equal(found->data, expected.data, expected.len);
	assert_string_equal(found->data, copy);
	assert_int_equal(found->len, expected.len);
}

static void assert_rendered(const struct structured_format *format, const char *own,
	const struct skills *skills, const char *expected)
{
	struct structured_input input =
		input_of(format, view_of(own), skills->list, skills->count);
	CLEANUP(rendered_release) struct rendered rendered = render(format, &input);

	assert_string_equal(rendered.output.text.data, expected);
}

/* --- what holds for all --------------------------------------------------------- */

/* S2: without contributions it is the own content. */
static void check_nothing_added(const struct structured_format *format, struct view own)
{
	struct structured_input input = input_of(format, own, NULL, 0);
	CLEANUP(rendered_release) struct rendered rendered = render(format, &input);

	assert_same(&rendered.output.text, own);
}

/* S3, and more than it asks: the own content comes back to the byte. */
static void check_stripped(const struct structured_format *format, struct view own,
	const struct contribution *list, size_t count)
{
	struct structured_input input = input_of(format, own, list, count);
	CLEANUP(rendered_release) struct rendered rendered = render(format, &input);
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *record = through_text(rendered.output.record);
	CLEANUP(stripped_release)
	struct stripped stripped =
		strip(format, view_of_buf(&rendered.output.text), record->root, list, count);

	assert_same(&stripped.own, own);
	assert_null(stripped.unwanted);
}

/* One skill after the other, each time from the file as it is; ends with the same file. */
static void check_order(const struct structured_format *format, struct view own,
	const struct skills *skills, const size_t *order, struct view expected)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *record = NULL;
	bool applied[MAX_SKILLS] = {false};

	buf_append(&text, own.data, own.len);
	for (size_t i = 0; i < skills->count; i++) {
		struct contribution before[MAX_SKILLS], now[MAX_SKILLS];
		size_t before_count = 0, now_count = 0;

		for (size_t j = 0; j < skills->count; j++)
			if (applied[j])
				before[before_count++] = skills->list[j];
		applied[order[i]] = true;
		for (size_t j = 0; j < skills->count; j++)
			if (applied[j])
				now[now_count++] = skills->list[j];

		CLEANUP(stripped_release)
		struct stripped stripped = {.doc = yaml_doc_new("state"), .own = BUF_INIT};

		if (record) {
			stripped_release(&stripped);
			stripped = strip(
				format, view_of_buf(&text), record->root, before, before_count);
		} else
			buf_append(&stripped.own, text.data, text.len);

		struct structured_input input =
			input_of(format, view_of_buf(&stripped.own), now, now_count);
		CLEANUP(rendered_release) struct rendered rendered = render(format, &input);

		buf_clear(&text);
		buf_append(&text, rendered.output.text.data, rendered.output.text.len);
		yaml_doc_free(record);
		record = through_text(rendered.output.record);
	}
	assert_same(&text, expected);
}

/* S1, as people meet it: every order of the skills ends with the same bytes. */
static void check_every_order(
	const struct structured_format *format, struct view own, const struct skills *skills)
{
	static const size_t orders[][3] = {
		{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	struct structured_input input = input_of(format, own, skills->list, skills->count);
	CLEANUP(rendered_release) struct rendered all = render(format, &input);

	assert_int_equal(skills->count, 3);
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
		check_order(format, own, skills, orders[i], view_of_buf(&all.output.text));
}

/* A skill that is gone has left nothing: the file is as if it had never been. */
static void check_removed(const struct structured_format *format, struct view own,
	const struct skills *skills, size_t gone)
{
	struct contribution left[MAX_SKILLS];
	size_t count = 0;

	for (size_t i = 0; i < skills->count; i++)
		if (i != gone)
			left[count++] = skills->list[i];

	struct structured_input with = input_of(format, own, skills->list, skills->count);
	struct structured_input never = input_of(format, own, left, count);
	CLEANUP(rendered_release) struct rendered full = render(format, &with);
	CLEANUP(rendered_release) struct rendered expected = render(format, &never);
	CLEANUP(stripped_release)
	struct stripped stripped = strip(format, view_of_buf(&full.output.text),
		full.output.record, skills->list, skills->count);
	struct structured_input again =
		input_of(format, view_of_buf(&stripped.own), left, count);
	CLEANUP(rendered_release) struct rendered found = render(format, &again);

	assert_same(&found.output.text, view_of_buf(&expected.output.text));
}

static void check_all(
	const struct structured_format *format, struct view own, const struct skills *skills)
{
	check_nothing_added(format, own);
	check_stripped(format, own, skills->list, skills->count);
	check_every_order(format, own, skills);
	for (size_t i = 0; i < skills->count; i++)
		check_removed(format, own, skills, i);
}

/* --- a person's edits ----------------------------------------------------------- */

static bool has_line(struct view text, struct view wanted)
{
	struct view line;

	while (view_next(&text, '\n', &line))
		if (view_equal(view_trim(line), view_trim(wanted)))
			return true;
	return false;
}

/*
 * S4: rendering an edited file keeps every line, except headings (which begin with `heading`)
 * without entries, and lines that `is_kept`, if given, accepts as kept in another form;
 * rendering again changes nothing.
 */
static void check_edited(const struct structured_format *format, struct view own,
	const struct skills *skills, struct view edited, const char *heading,
	bool (*is_kept)(struct view line, struct view text))
{
	struct structured_input input = input_of(format, own, skills->list, skills->count);
	CLEANUP(rendered_release) struct rendered before = render(format, &input);
	CLEANUP(stripped_release)
	struct stripped stripped =
		strip(format, edited, before.output.record, skills->list, skills->count);
	struct structured_input again =
		input_of(format, view_of_buf(&stripped.own), skills->list, skills->count);

	again.unwanted = stripped.unwanted;
	CLEANUP(rendered_release) struct rendered after = render(format, &again);
	CLEANUP(stripped_release)
	struct stripped twice = strip(format, view_of_buf(&after.output.text),
		after.output.record, skills->list, skills->count);
	struct view rest = edited, line;

	while (view_next(&rest, '\n', &line))
		if (view_trim(line).len && !view_starts_with(line, heading) &&
			!has_line(view_of_buf(&after.output.text), line) &&
			!(is_kept && is_kept(line, view_of_buf(&after.output.text))))
			fail_msg("'%.*s' is lost; edited:\n%.*s\nafter:\n%s", VIEW_ARGS(line),
				VIEW_ARGS(edited), after.output.text.data);
	assert_same(&twice.own, view_of_buf(&stripped.own));
	assert_true(!stripped.unwanted == !twice.unwanted);
	if (twice.unwanted)
		assert_int_equal(twice.unwanted->count, stripped.unwanted->count);
}

#endif
