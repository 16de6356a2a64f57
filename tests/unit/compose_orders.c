/*
 * Three skills come and go in every order, in random files: the file depends on which
 * are there, and when all have gone it is as it was, to the byte.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "engine/package/structured_format.h"

#define FILE_NAME "compose.yaml"
#define SKILLS    3
#define FILES     40

static const char *const skills[SKILLS] = {"a", "b", "c"};

static uint64_t random_state = 20261116;

static unsigned below(unsigned limit)
{
	random_state =
		random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(random_state >> 33) % limit;
}

#define PICK(array) ((array)[below(ARRAY_SIZE(array))])

/* --- random files --------------------------------------------------------------------- */

static void append_lines(struct buf *out, const char *text, size_t indent, const char *newline)
{
	struct view rest = view_of(text);
	struct view line;

	while (view_next(&rest, '\n', &line)) {
		if (!below(5))
			buf_appendf(
				out, "%*s# note %u%s", (int)indent, "", below(100), newline);
		buf_appendf(out, "%*s%.*s%s%s", (int)indent, "", VIEW_ARGS(line),
			below(6) ? "" : " # beside", newline);
	}
}

static void random_own(struct buf *out)
{
	static const char *const heads[] = {"", "", "---\n", "# head\n\n", "\xef\xbb\xbf"};
	static const char *const tails[] = {"", "", "\n", "# tail", "...\n", "# tail\n\n"};
	static const char *const sections[] = {
		"services:\n  web:\n    image: x\n    ports: [\"80:80\"]\n",
		"services:\n    web: {image: x}\n    api:\n        image: y\n",
		"services: {}\n",
		"services:\n",
		"services: {web: {image: x, ports: [\"81:1\"]}}\n",
		"name: x\n",
		"",
	};
	static const char *const others[] = {"volumes:\n  data:\n", "volumes: {}\n",
		"volumes: {old: {}}\n", "x-y: [1, 2]\n", ""};
	static const char *const newlines[] = {"\n", "\n", "\r\n"};
	const char *newline = PICK(newlines);
	const char *first = PICK(sections);
	const char *second = PICK(others);

	buf_append_str(out, PICK(heads));
	if (below(2))
		append_lines(out, first, 0, newline);
	append_lines(out, second, 0, newline);
	if (!strstr(out->data, "services") && !strstr(out->data, "name"))
		append_lines(out, first, 0, newline);
	if (!below(4) && out->len && view_ends_with(view_of_buf(out), newline))
		buf_set_len(out, out->len - strlen(newline));
	else
		buf_append_str(out, PICK(tails));
}

static struct yaml_doc *random_declaration(void)
{
	static const char *const names[] = {"db", "cache", "mail", "bot"};
	static const char *const definitions[] = {
		"{image: x}",
		"{image: x, ports: ['80:80']}",
		"{image: x, ports: ['80-82:80-82', '81:1/udp'], volumes: ['data:/d']}",
		"{image: x, volumes: ['store:/s', './x:/y'], networks: [back]}",
		"{image: x, networks: {back: , front: {}}, ports: [{target: 1, published: 81}]}",
	};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;
	unsigned first = below(ARRAY_SIZE(names));

	/* One name has one definition here: clashes of names are another test's. */
	for (unsigned i = 0, count = below(3); i <= count; i++) {
		unsigned name = (first + i) % ARRAY_SIZE(names);

		buf_appendf(&text, "%s: %s\n", names[name], definitions[name]);
	}
	if (!below(3))
		buf_appendf(&text, "own%u: %s\n", below(1000), PICK(definitions));
	assert_int_equal(yaml_parse(view_of_buf(&text), "declared", &doc, &err), 0);
	return doc;
}

/* --- skills that come and go ------------------------------------------------------------ */

struct world {
	struct yaml_doc *doc;
	struct yaml_doc *declared[SKILLS];
	bool applied[SKILLS];
	struct buf file;
	const struct yaml_node *record;
};

static void world_release(struct world *w)
{
	buf_release(&w->file);
	yaml_doc_free(w->doc);
}

static size_t contributions_of(const struct world *w, struct contribution *list)
{
	size_t count = 0;

	for (size_t i = 0; i < SKILLS; i++)
		if (w->applied[i])
			list[count++] = (struct contribution){skills[i], w->declared[i]->root};
	return count;
}

/*
 * Like an operation: strip all entries from the file, then render it with the new set of
 * skills.
 */
static void set_applied(struct world *w, size_t skill, bool applied)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf own = BUF_INIT;
	CLEANUP(structured_output_release)
	struct structured_output output = STRUCTURED_OUTPUT_INIT;
	struct contribution list[SKILLS];
	size_t count = contributions_of(w, list);
	struct structured_input input = {
		.name = FILE_NAME, .contributions = list, .side = CLASH_FIRST};
	struct yaml_node *unwanted = NULL;

	if (structured_compose.strip(FILE_NAME, view_of_buf(&w->file), w->record, list, count,
		    w->doc, &own, &unwanted, &err) < 0)
		fail_msg("%s\n%s", err.message, w->file.data);
	assert_null(unwanted);
	w->applied[skill] = applied;
	input.own = view_of_buf(&own);
	input.contribution_count = contributions_of(w, list);
	if (structured_compose.render(&input, w->doc, &output, &err) < 0)
		fail_msg("%s\n%s", err.message, own.data);
	buf_clear(&w->file);
	buf_append(&w->file, output.text.data, output.text.len);
	w->record = output.record;
}

static void assert_comments(const char *own, const char *file)
{
	struct view rest = view_of(own);
	struct view line;

	while (view_next(&rest, '\n', &line)) {
		const char *hash = memchr(line.data, '#', line.len);
		CLEANUP(freep) char *comment = NULL;

		if (!hash)
			continue;
		comment = xmemdupz(hash, (size_t)(line.data + line.len - hash));
		if (!strstr(file, comment))
			fail_msg("'%s' is lost in\n%s", comment, file);
	}
}

static void run_order(const char *own, struct yaml_doc *const *declared, const unsigned *order,
	struct buf *all)
{
	CLEANUP(world_release)
	struct world w = {.doc = yaml_doc_new("world"), .file = BUF_INIT};

	memcpy(w.declared, declared, sizeof(w.declared));
	w.record = yaml_new_mapping(w.doc);
	buf_append_str(&w.file, own);
	for (size_t i = 0; i < SKILLS; i++) {
		set_applied(&w, order[i], true);
		assert_comments(own, w.file.data);
	}
	if (!all->len)
		buf_append(all, w.file.data, w.file.len);
	assert_string_equal(w.file.data, all->data);
	set_applied(&w, order[0], true); /* once more changes nothing */
	assert_string_equal(w.file.data, all->data);
	for (size_t i = 0; i < SKILLS; i++)
		set_applied(&w, order[(i + 1) % SKILLS], false);
	assert_string_equal(w.file.data, own);
}

static void the_order_of_skills_does_not_matter(void **state)
{
	static const unsigned orders[][SKILLS] = {
		{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

	(void)state;
	for (int i = 0; i < FILES; i++) {
		CLEANUP(buf_release) struct buf own = BUF_INIT;
		CLEANUP(buf_release) struct buf all = BUF_INIT;
		struct yaml_doc *declared[SKILLS];

		random_own(&own);
		for (size_t k = 0; k < SKILLS; k++)
			declared[k] = random_declaration();
		for (size_t k = 0; k < ARRAY_SIZE(orders); k++)
			run_order(own.data, declared, orders[k], &all);
		for (size_t k = 0; k < SKILLS; k++)
			yaml_doc_free(declared[k]);
	}
}

TESTS(cmocka_unit_test(the_order_of_skills_does_not_matter))
