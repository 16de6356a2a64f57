/*
 * The promises of a structured format (engine/structured_format.h), on random packages
 * with three random skills. Each round has its own seed, which a failure prints.
 */
#include "npm_run.h"

#include <string.h>

#include "engine/structured/npm/npm.h"
#include "format/yaml_write.h"

#define ROUNDS 500

static uint64_t random_state;

static unsigned below(unsigned limit)
{
	uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((z ^ (z >> 31)) % limit);
}

static const char *const names[] = {
	"a", "B", "b-c", "b.c", "@s/x", "@s-t/x", "z", "0", "foo", "Foo"};
static const char *const specs[] = {"^1.0.0", "^1.2.0", "~1.2.3", "1.2.5", ">=1.1.0", "^2.0.0",
	"*", "", "latest", "file:../x", "^0.2.0"};
static const char *const others[] = {"name", "version", "scripts", "type", "x-own"};
static const char *const pins[] = {"overrides", "resolutions"};

#define PICK(list) (list)[below(ARRAY_SIZE(list))]

/* --- a random package ----------------------------------------------------------- */

static void put(json_t *object, const char *key, json_t *value)
{
	assert_int_equal(json_object_set_new(object, key, value), 0);
}

static json_t *random_section(unsigned most)
{
	json_t *section = json_object();

	for (unsigned i = below(most + 1); i; i--)
		put(section, PICK(names), json_string(PICK(specs)));
	return section;
}

static json_t *random_package(void)
{
	json_t *package = json_object();

	for (unsigned i = below(8); i; i--)
		switch (below(4)) {
		case 0:
			put(package, PICK(others), json_string("x"));
			break;
		case 1:
			put(package, PICK(pins), random_section(2));
			break;
		default:
			put(package, npm_section_names[below(NPM_SECTION_COUNT)],
				random_section(5));
		}
	return package;
}

static char *random_own(void)
{
	static const char *const indents[] = {"", "  ", "\t", "    "};
	static const char *const newlines[] = {"", "\n", "\r\n", "\n\n"};
	CLEANUP(json_decrefp) json_t *package = random_package();
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct json_style style = {.newline = view_of(PICK(newlines))};

	style.indent = view_of(style.newline.len ? PICK(indents) : "");
	npm_package_write(package, &style, &text);
	return buf_take(&text);
}

static char *random_skills(void)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	for (char skill = 'a'; skill <= 'c'; skill++) {
		CLEANUP(json_decrefp) json_t *declared = random_section(4);

		buf_appendf(&text, "%s\"%c\": ", skill == 'a' ? "{" : ", ", skill);
		json_write_ours(declared, false, &text);
	}
	buf_append_char(&text, '}');
	return buf_take(&text);
}

/* --- what failed ---------------------------------------------------------------- */

static struct {
	unsigned seed;
	const char *own;
	const char *skills;
} round_now;

static void assert_same(const char *claim, const char *text, const char *expected)
{
	if (strcmp(text, expected) != 0)
		fail_msg("seed %u: %s: %s with %s gives %s, not %s", round_now.seed, claim,
			round_now.own, round_now.skills, text, expected);
}

/* --- claims --------------------------------------------------------------------- */

/* The record as the state keeps it: written, and read again. */
static void through_the_state(struct npm_run *run, struct yaml_doc **ret_doc)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	assert_int_equal(yaml_write(run->output.record, &text, &err), 0);
	*ret_doc = npm_run_yaml(text.data);
	run->output.record = (*ret_doc)->root;
}

static void swap(struct npm_run *run, size_t a, size_t b)
{
	struct contribution kept = run->list[a];

	run->list[a] = run->list[b];
	run->list[b] = kept;
}

static void every_order_gives_the_same(struct npm_run *run)
{
	CLEANUP(freep) char *text = NULL;

	npm_run_render(run);
	text = xstrdup(run->output.text.data);
	for (int i = 0; i < 6; i++) {
		swap(run, 1, i % 2 ? 0 : 2);
		npm_run_render(run);
		assert_same("another order", run->output.text.data, text);
	}
}

static void there_and_back(struct npm_run *run)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *record = NULL;
	CLEANUP(freep) char *text = NULL;
	CLEANUP(freep) char *own = NULL;
	const char *kept = run->own;

	npm_run_render(run);
	through_the_state(run, &record);
	text = xstrdup(run->output.text.data);
	npm_run_strip(run, text);
	assert_same("and back", run->stripped.data, run->own);
	assert_null(run->taken_out);
	own = xstrdup(run->stripped.data);
	run->own = own;
	npm_run_render(run);
	assert_same("again", run->output.text.data, text);
	run->own = kept;
}

/* A skill that goes leaves nothing behind, and takes nothing along. */
static void without_one_it_is_as_if_it_had_never_been(struct npm_run *run)
{
	CLEANUP(freep) char *never = NULL;
	CLEANUP(freep) char *own = NULL;
	const char *kept = run->own;

	run->count = 2;
	npm_run_render(run);
	never = xstrdup(run->output.text.data);
	run->count = 3;
	npm_run_render(run);
	own = xstrdup(run->output.text.data);
	npm_run_strip(run, own);
	run->own = run->stripped.data;
	run->count = 2;
	npm_run_render(run);
	assert_same("without 'c'", run->output.text.data, never);
	run->count = 3;
	run->own = kept;
}

/* --- what a person does in the file --------------------------------------------- */

static char *edited(const char *text, const char *taken_out)
{
	CLEANUP(npm_package_release) struct npm_package package = NPM_PACKAGE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	assert_int_equal(npm_package_parse("package.json", view_of(text), &package, &err), 0);
	put(package.json, "edited", json_true());
	npm_set_spec(package.json, NPM_DEPENDENCIES, "mine", "9.9.9");
	npm_remove_spec(package.json, NPM_DEPENDENCIES, taken_out);
	json_write_npm(package.json, &package.style, &out);
	return buf_take(&out);
}

static bool is_written(const struct npm_run *run, const char *name)
{
	const struct yaml_node *entries = yaml_get(run->output.record, "entries");
	const struct yaml_node *entry = entries ? yaml_get(entries, name) : NULL;

	return entry && yaml_get(entry, "written");
}

static bool holds(const struct yaml_node *list, const char *name)
{
	for (size_t i = 0; list && i < list->count; i++)
		if (view_equal_str(list->items[i]->text, name))
			return true;
	return false;
}

/*
 * Entries that they added stay, and entries that they removed stay out. Returns whether there
 * were any.
 */
static bool edits_stay(struct npm_run *run)
{
	CLEANUP(npm_package_release) struct npm_package package = NPM_PACKAGE_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;
	const char *name = PICK(names);
	const char *kept = run->own;
	bool written;

	npm_run_render(run);
	written = is_written(run, name);
	text = edited(run->output.text.data, name);
	npm_run_strip(run, text);
	if (holds(run->taken_out, name) != written)
		fail_msg("seed %u: '%s' is %sunwanted", round_now.seed, name,
			written ? "not " : "");
	run->own = run->stripped.data;
	run->unwanted = run->taken_out;
	npm_run_render(run);
	assert_int_equal(npm_package_parse("package.json", view_of_buf(&run->output.text),
				 &package, &err),
		0);
	assert_true(json_is_true(json_object_get(package.json, "edited")));
	assert_string_equal(npm_spec_of(package.json, NPM_DEPENDENCIES, "mine"), "9.9.9");
	if (written)
		assert_false(npm_installs(package.json, name));
	run->own = kept;
	run->unwanted = NULL;
	return written;
}

static void random_packages_keep_the_promises(void **state)
{
	size_t clashes = 0;
	size_t changed = 0;
	size_t taken_out = 0;

	(void)state;
	for (unsigned seed = 1; seed <= ROUNDS; seed++) {
		CLEANUP(freep) char *own = NULL;
		CLEANUP(freep) char *skills = NULL;
		CLEANUP(npm_run_release) struct npm_run run = {0};

		random_state = seed;
		own = random_own();
		skills = random_skills();
		run.own = own;
		run.side = (enum clash_side)below(3);
		npm_run_skills(&run, skills);
		round_now.seed = seed;
		round_now.own = own;
		round_now.skills = skills;
		every_order_gives_the_same(&run);
		clashes += run.output.clashes.count;
		changed += strcmp(run.output.text.data, own) != 0;
		there_and_back(&run);
		without_one_it_is_as_if_it_had_never_been(&run);
		taken_out += edits_stay(&run);
	}
	/* The rounds are about something. */
	assert_true(clashes > ROUNDS / 10);
	assert_true(changed > ROUNDS / 2);
	assert_true(taken_out > ROUNDS / 10);
}

TESTS(cmocka_unit_test(random_packages_keep_the_promises))
