#include "npm_run.h"

#include <string.h>

static void assert_render(const char *own, const char *skills, const char *expected)
{
	CLEANUP(npm_run_release) struct npm_run run = {.own = own};

	npm_run_skills(&run, skills);
	npm_run_render(&run);
	assert_string_equal(run.output.text.data, expected);
	assert_int_equal(run.output.clashes.count, 0);
}

/* And back: what strip() gives is the own content to the byte. */
static void assert_there_and_back(const char *own, const char *skills, const char *expected)
{
	CLEANUP(npm_run_release) struct npm_run run = {.own = own};

	npm_run_skills(&run, skills);
	npm_run_render(&run);
	assert_string_equal(run.output.text.data, expected);
	npm_run_strip(&run, expected);
	assert_string_equal(run.stripped.data, own);
	assert_null(run.taken_out);
}

/* --- rendering ------------------------------------------------------------------ */

static void without_contributions_the_bytes_stay(void **state)
{
	(void)state;
	assert_render("{ \"b\" :1,\n\"a\": 2 }", "{}", "{ \"b\" :1,\n\"a\": 2 }");
	assert_render("no json", "{}", "no json");
	assert_render("no json", "{a: {}}", "no json");
	assert_render("", "{}", "");
}

static void a_missing_file_is_made(void **state)
{
	(void)state;
	assert_there_and_back("", "{a: {foo: ^1.0.0}}",
		"{\n  \"dependencies\": {\n    \"foo\": \"^1.0.0\"\n  }\n}\n");
}

static void new_dependencies_come_last_and_sorted(void **state)
{
	(void)state;
	assert_there_and_back("{\n  \"name\": \"x\",\n  \"scripts\": {}\n}\n",
		"{a: {zod: ^3.0.0, '@s/b': ^1.0.0}, b: {JSONStream: ^1.0.0, a: ^1.0.0}}",
		"{\n  \"name\": \"x\",\n  \"scripts\": {},\n  \"dependencies\": {\n"
		"    \"@s/b\": \"^1.0.0\",\n    \"a\": \"^1.0.0\",\n"
		"    \"JSONStream\": \"^1.0.0\",\n    \"zod\": \"^3.0.0\"\n  }\n}\n");
}

static void lists_of_old_packages_are_understood(void **state)
{
	(void)state;
	assert_render("{}", "{a: [foo, '@s/b@^2.0.0', {bar: ^1.0.0}]}",
		"{\n  \"dependencies\": {\n    \"@s/b\": \"^2.0.0\",\n"
		"    \"bar\": \"^1.0.0\",\n    \"foo\": \"*\"\n  }\n}\n");
}

static void layouts_are_kept(void **state)
{
	(void)state;
	assert_there_and_back("{\r\n\t\"name\": \"x\"\r\n}\r\n", "{a: {foo: ^1.0.0}}",
		"{\r\n\t\"name\": \"x\",\r\n\t\"dependencies\": {\r\n"
		"\t\t\"foo\": \"^1.0.0\"\r\n\t}\r\n}\r\n");
	assert_there_and_back("{\"name\":\"x\"}", "{a: {foo: ^1.0.0}}",
		"{\"name\":\"x\",\"dependencies\":{\"foo\":\"^1.0.0\"}}");
	assert_there_and_back("{}\n", "{a: {foo: 1.0.0}}",
		"{\n  \"dependencies\": {\n    \"foo\": \"1.0.0\"\n  }\n}\n");
	/* npm writes the rest of these without a line end, or with one that was not there. */
	assert_there_and_back(
		"{\n}\n", "{a: {foo: 1.0.0}}", "{\"dependencies\":{\"foo\":\"1.0.0\"}}\n");
	assert_there_and_back("{\n\"name\":\"x\"}\n", "{a: {foo: 1.0.0}}",
		"{\"name\":\"x\",\"dependencies\":{\"foo\":\"1.0.0\"}}\n");
	assert_render("\xef\xbb\xbf{\n \"a\": 1\n}", "{a: {foo: 1.0.0}}",
		"{\n \"a\": 1,\n \"dependencies\": {\n  \"foo\": \"1.0.0\"\n }\n}\n");
}

static void ranges_of_all_are_put_together(void **state)
{
	(void)state;
	assert_there_and_back("{\"dependencies\":{\"foo\":\"^1.2.0\"}}",
		"{a: {foo: ^1.3.0}, b: {foo: ^1.4.0}, c: {foo: '*'}}",
		"{\"dependencies\":{\"foo\":\"^1.4.0\"}}");
	assert_there_and_back("{\"dependencies\":{\"foo\":\"1.5.0\"}}", "{a: {foo: ^1.3.0}}",
		"{\"dependencies\":{\"foo\":\"1.5.0\"}}");
	assert_there_and_back("{\"dependencies\":{\"foo\":\"\"}}", "{a: {foo: '*'}}",
		"{\"dependencies\":{\"foo\":\"\"}}");
}

static void a_file_that_has_it_all_keeps_its_bytes(void **state)
{
	(void)state;
	assert_there_and_back("{\"dependencies\" : {\"foo\":\"^1.2.0\", \"bar\":\"1.0.0\"} }",
		"{a: {foo: ^1.0.0}}",
		"{\"dependencies\" : {\"foo\":\"^1.2.0\", \"bar\":\"1.0.0\"} }");
}

static void unsorted_names_are_sorted_and_come_back_unsorted(void **state)
{
	(void)state;
	assert_there_and_back(
		"{\"dependencies\":{\"c\":\"1.0.0\",\"a\":\"1.0.0\"},\"devDependencies\":{\"y\":"
		"\"1.0.0\",\"x\":\"1.0.0\"}}",
		"{s: {b: 1.0.0}}",
		"{\"dependencies\":{\"a\":\"1.0.0\",\"b\":\"1.0.0\",\"c\":\"1.0.0\"},"
		"\"devDependencies\":{\"x\":\"1.0.0\",\"y\":\"1.0.0\"}}");
}

static void one_for_development_moves_and_comes_back(void **state)
{
	(void)state;
	assert_there_and_back(
		"{\"devDependencies\":{\"a\":\"1.0.0\",\"foo\":\"^1.2.0\",\"x\":\"1.0.0\"}}",
		"{s: {foo: ^1.3.0}}",
		"{\"devDependencies\":{\"a\":\"1.0.0\",\"x\":\"1.0.0\"},"
		"\"dependencies\":{\"foo\":\"^1.3.0\"}}");
	/* The section goes, and comes back to its place. */
	assert_there_and_back("{\"a\":1,\"devDependencies\":{\"foo\":\"^1.2.0\"},\"b\":2}",
		"{s: {foo: '*'}}", "{\"a\":1,\"b\":2,\"dependencies\":{\"foo\":\"^1.2.0\"}}");
	assert_there_and_back(
		"{\"optionalDependencies\":{},\"devDependencies\":{\"foo\":\"1.0.0\"},\"b\":2}",
		"{s: {foo: '*'}}", "{\"b\":2,\"dependencies\":{\"foo\":\"1.0.0\"}}");
}

static void an_optional_one_moves_and_a_peer_stays(void **state)
{
	(void)state;
	assert_there_and_back("{\"optionalDependencies\":{\"foo\":\"^1.2.0\"}}",
		"{s: {foo: ^1.0.0}}", "{\"dependencies\":{\"foo\":\"^1.2.0\"}}");
	assert_there_and_back("{\"peerDependencies\":{\"foo\":\"^1.2.0\"}}",
		"{s: {foo: ^1.3.0}}",
		"{\"peerDependencies\":{\"foo\":\"^1.2.0\"},\"dependencies\":{\"foo\":\"^1.3.0\"}}");
	/* npm takes out of `dependencies` what is optional; so do we, and put it back. */
	assert_there_and_back(
		"{\"dependencies\":{\"o\":\"1.0.0\"},\"optionalDependencies\":{\"o\":\"1.0.0\"}}",
		"{s: {foo: ^1.3.0}}",
		"{\"dependencies\":{\"foo\":\"^1.3.0\"},\"optionalDependencies\":{\"o\":\"1.0.0\"}}");
}

static void a_pin_is_written_where_it_agrees(void **state)
{
	(void)state;
	assert_there_and_back("{\"overrides\":{\"foo\":\"1.4.2\"}}", "{s: {foo: ^1.2.0}}",
		"{\"overrides\":{\"foo\":\"1.4.2\"},\"dependencies\":{\"foo\":\"1.4.2\"}}");
	assert_there_and_back("{\"overrides\":{\"foo\":{\".\":\"1.4.2\",\"x\":\"1\"}}}",
		"{s: {foo: ^1.2.0}}",
		"{\"overrides\":{\"foo\":{\".\":\"1.4.2\",\"x\":\"1\"}},"
		"\"dependencies\":{\"foo\":\"1.4.2\"}}");
	assert_there_and_back("{\"resolutions\":{\"**/foo\":\"npm:1.4.2\"}}",
		"{s: {foo: ^1.2.0}}",
		"{\"resolutions\":{\"**/foo\":\"npm:1.4.2\"},\"dependencies\":{\"foo\":\"1.4.2\"}}");
	assert_there_and_back("{\"pnpm\":{\"overrides\":{\"foo@^1.0.0\":\"1.4.2\"}}}",
		"{s: {foo: ^1.2.0}}",
		"{\"pnpm\":{\"overrides\":{\"foo@^1.0.0\":\"1.4.2\"}},"
		"\"dependencies\":{\"foo\":\"1.4.2\"}}");
	/* It is not known which versions a tag stands for, so a pin for some may be about it. */
	assert_there_and_back("{\"overrides\":{\"foo@^1.0.0\":\"1.4.2\"},"
			      "\"dependencies\":{\"foo\":\"latest\"}}",
		"{s: {foo: ^1.2.0}}",
		"{\"overrides\":{\"foo@^1.0.0\":\"1.4.2\"},"
		"\"dependencies\":{\"foo\":\"latest\"}}");
	/* The package's own entry was valid for its package manager, so it stays. */
	assert_there_and_back(
		"{\"dependencies\":{\"foo\":\"^1.0.0\"},\"resolutions\":{\"foo\":\"1.4.2\"}}",
		"{s: {foo: ^1.2.0}}",
		"{\"dependencies\":{\"foo\":\"^1.0.0\"},\"resolutions\":{\"foo\":\"1.4.2\"}}");
}

static void pins_of_other_things_do_not_count(void **state)
{
	(void)state;
	assert_render("{\"overrides\":{\"foo@^2.0.0\":\"2.1.0\",\"foobar\":\"9.0.0\","
		      "\"bar\":{\"foo\":\"9.0.0\"},\"foo\":\"$foo\"}}",
		"{s: {foo: ^1.2.0}}",
		"{\"overrides\":{\"foo@^2.0.0\":\"2.1.0\",\"foobar\":\"9.0.0\","
		"\"bar\":{\"foo\":\"9.0.0\"},\"foo\":\"$foo\"},"
		"\"dependencies\":{\"foo\":\"^1.2.0\"}}");
	assert_render(
		"{\"pnpm\":{\"overrides\":{\"bar>foo\":\"9.0.0\"}},\"overrides\":{\"foo\":\"*\"},"
		"\"resolutions\":{\"bar/foo\":\"9.0.0\"}}",
		"{s: {foo: ^1.2.0}}",
		"{\"pnpm\":{\"overrides\":{\"bar>foo\":\"9.0.0\"}},\"overrides\":{\"foo\":\"*\"},"
		"\"resolutions\":{\"bar/foo\":\"9.0.0\"},\"dependencies\":{\"foo\":\"^1.2.0\"}}");
}

/* --- clashes -------------------------------------------------------------------- */

static void assert_clash(
	const char *own, const char *skills, const char *key, const char *about)
{
	CLEANUP(npm_run_release) struct npm_run run = {.own = own};

	npm_run_skills(&run, skills);
	npm_run_render(&run);
	assert_int_equal(run.output.clashes.count, 1);
	assert_string_equal(run.output.clashes.list[0].key, key);
	assert_string_equal(run.output.clashes.list[0].about, about);
}

static void a_clash_names_all_and_their_ranges(void **state)
{
	(void)state;
	assert_clash("{}", "{a: {foo: ^1.0.0}, b: {foo: ^2.0.0}, c: {foo: '*'}}", "foo",
		"skill 'a' wants 'foo' ^1.0.0, and skill 'b' wants ^2.0.0");
	assert_clash("{\"devDependencies\":{\"foo\":\"^3.0.0\"}}",
		"{a: {foo: ^1.0.0}, b: {foo: latest}}", "foo",
		"package.json has 'foo' ^3.0.0, skill 'a' wants ^1.0.0, and skill 'b' wants latest");
	assert_clash("{\"overrides\":{\"foo\":\"3.0.0\"}}", "{a: {foo: ^1.0.0}}", "foo",
		"package.json pins 'foo' to 3.0.0 in 'overrides', and skill 'a' wants ^1.0.0");
	assert_clash("{\"peerDependencies\":{\"foo\":\"^3.0.0\"}}", "{a: {foo: ^1.0.0}}", "foo",
		"package.json has 'foo' ^3.0.0, and skill 'a' wants ^1.0.0");
}

static void assert_side(enum clash_side side, const char *expected)
{
	CLEANUP(npm_run_release)
	struct npm_run run = {
		.own = "{\"devDependencies\":{\"foo\":\"^1.0.0\"}}", .side = side};

	npm_run_skills(&run, "{a: {foo: ^2.0.0}, b: {foo: ^3.0.0}}");
	npm_run_render(&run);
	assert_string_equal(run.output.text.data, expected);
	npm_run_strip(&run, expected);
	assert_string_equal(run.stripped.data, run.own);
}

static void a_clash_is_written_as_asked(void **state)
{
	(void)state;
	assert_side(CLASH_NEITHER, "{}");
	assert_side(CLASH_FIRST, "{\"dependencies\":{\"foo\":\"^1.0.0\"}}");
	assert_side(CLASH_LAST, "{\"dependencies\":{\"foo\":\"^3.0.0\"}}");
}

static void assert_decided(const char *decisions, size_t clashes, const char *expected)
{
	CLEANUP(npm_run_release)
	struct npm_run run = {.own = "{\"dependencies\":{\"foo\":\"^1.0.0\",\"x\":\"1.0.0\"}}"};

	npm_run_skills(&run, "{a: {foo: ^2.0.0}}");
	run.given = npm_run_yaml(decisions);
	npm_run_render(&run);
	assert_int_equal(run.output.clashes.count, clashes);
	assert_string_equal(run.output.text.data, expected);
	npm_run_strip(&run, expected);
	assert_string_equal(run.stripped.data, run.own);
	assert_null(run.taken_out);
}

static void a_decision_about_the_same_claims_counts(void **state)
{
	(void)state;
	assert_decided("{foo: {claims: {'': ^1.0.0, a: ^2.0.0}, value: ^2.5.0}}", 0,
		"{\"dependencies\":{\"foo\":\"^2.5.0\",\"x\":\"1.0.0\"}}");
	assert_decided("{foo: {claims: {'': ^1.0.0, a: ^2.0.0}, value: null}}", 0,
		"{\"dependencies\":{\"x\":\"1.0.0\"}}");
	assert_decided("{foo: {claims: {'': ^1.0.0, a: ^3.0.0}, value: ^2.5.0}}", 1,
		"{\"dependencies\":{\"x\":\"1.0.0\"}}");
}

static void what_stands_in_the_file_resolves_a_clash(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("state.yaml");
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct clash clash = {.key = (char[]){"foo"}};
	struct yaml_node *value = NULL;

	(void)state;
	assert_int_equal(structured_npm.resolved("package.json",
				 view_of("{\"dependencies\":{\"foo\":\"^2.1.0\"}}"), &clash,
				 doc, &value, &err),
		0);
	assert_true(view_equal_str(value->text, "^2.1.0"));
	assert_int_equal(structured_npm.resolved("package.json",
				 view_of("{\"peerDependencies\":{\"foo\":\"1\"}}"), &clash, doc,
				 &value, &err),
		0);
	assert_null(value);
	assert_int_equal(structured_npm.resolved("package.json", view_of("<<<<<<<\n{}"), &clash,
				 doc, &value, &err),
		-1);
}

/* --- edits ---------------------------------------------------------------------- */

static void assert_strip(const char *own, const char *skills, const char *edited,
	const char *expected, const char *taken_out)
{
	CLEANUP(npm_run_release) struct npm_run run = {.own = own};

	npm_run_skills(&run, skills);
	npm_run_render(&run);
	npm_run_strip(&run, edited);
	assert_string_equal(run.stripped.data, expected);
	if (!taken_out) {
		assert_null(run.taken_out);
		return;
	}
	assert_non_null(run.taken_out);
	assert_int_equal(run.taken_out->count, 1);
	assert_true(view_equal_str(run.taken_out->items[0]->text, taken_out));
}

static void an_edited_range_is_the_persons(void **state)
{
	(void)state;
	assert_strip("{\"a\":1}", "{s: {foo: ^1.0.0, bar: ^1.0.0}}",
		"{\"a\":2,\"dependencies\":{\"bar\":\"^1.0.0\",\"foo\":\"1.2.3\",\"mine\":\"1.0.0\"}}",
		"{\"a\":2,\"dependencies\":{\"foo\":\"1.2.3\",\"mine\":\"1.0.0\"}}", NULL);
	/* Also if they moved it. */
	assert_strip("{}", "{s: {foo: ^1.0.0}}", "{\"devDependencies\":{\"foo\":\"^1.0.0\"}}",
		"{\"devDependencies\":{\"foo\":\"^1.0.0\"}}", NULL);
}

static void one_that_was_taken_out_is_unwanted(void **state)
{
	(void)state;
	assert_strip("{\"devDependencies\":{\"foo\":\"^1.0.0\"}}",
		"{s: {foo: ^1.0.0, bar: '*'}}", "{\"dependencies\":{\"bar\":\"*\"}}", "{ }",
		"foo");
	assert_strip("{\"a\":1}", "{s: {foo: ^1.0.0}}", "", "", "foo");
}

static void what_is_unwanted_stays_out_with_a_warning(void **state)
{
	CLEANUP(npm_run_release) struct npm_run run = {.own = "{\"a\":1}"};
	CLEANUP(freep) char *file = NULL;

	(void)state;
	npm_run_skills(&run, "{s: {foo: ^1.0.0, bar: 1.0.0}, t: {foo: '*'}}");
	npm_run_render(&run);
	npm_run_strip(&run, "{\"a\":1,\"dependencies\":{\"bar\":\"1.0.0\"}}");
	assert_string_equal(run.stripped.data, run.own);
	run.unwanted = run.taken_out;
	npm_run_render(&run);
	assert_string_equal(
		run.output.text.data, "{\"a\":1,\"dependencies\":{\"bar\":\"1.0.0\"}}");
	assert_int_equal(run.output.warnings.count, 1);
	assert_string_equal(run.output.warnings.list[0],
		"'foo' was removed from 'package.json' and stays out, but skills 's' and 't' want it; "
		"to have it again, add it to 'package.json'");
	/* It is still known the next time, and forgotten when they have it again. */
	file = xstrdup(run.output.text.data);
	npm_run_strip(&run, file);
	assert_non_null(run.taken_out);
	assert_int_equal(run.taken_out->count, 1);
	npm_run_strip(&run, "{\"dependencies\":{\"bar\":\"1.0.0\",\"foo\":\"^1.1.0\"}}");
	assert_null(run.taken_out);
	run.own = "{\"dependencies\":{\"foo\":\"^1.1.0\"}}";
	npm_run_render(&run);
	assert_int_equal(run.output.warnings.count, 0);
}

static void without_a_record_what_is_as_declared_goes(void **state)
{
	CLEANUP(npm_run_release) struct npm_run run = {.own = "{}"};

	(void)state;
	npm_run_skills(&run, "{a: {foo: ^1.2.0, bar: 1.0.0, baz: 1.0.0}, b: {foo: ~1.2.0}}");
	run.doc = yaml_doc_new("state.yaml");
	npm_run_strip(&run,
		"{\"dependencies\":{\"bar\":\"1.0.1\",\"baz\":\"1.0.0\",\"foo\":\"~1.2.0\"}}");
	assert_string_equal(run.stripped.data, "{\"dependencies\":{\"bar\":\"1.0.1\"}}");
	npm_run_strip(&run, "{\"dependencies\":{\"foo\":\"^1.2.0\"}}");
	/* Not "{}": npm would go on with lines of two spaces after that. */
	assert_string_equal(run.stripped.data, "{ }");
}

static void the_outcome_has_range_and_skills(void **state)
{
	CLEANUP(npm_run_release)
	struct npm_run run = {.own = "{\"devDependencies\":{\"foo\":\"^1.0.0\"}}"};
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *expected =
		npm_run_yaml("{foo: {range: ^1.2.0, skills: [a, b], own: ^1.0.0}}");

	(void)state;
	npm_run_skills(&run, "{a: {foo: ^1.2.0}, b: {foo: ^1.1.0}}");
	npm_run_render(&run);
	assert_true(yaml_equal(run.output.outcome, expected->root));
}

/* --- what is wrong -------------------------------------------------------------- */

static const struct {
	const char *own;
	const char *message;
} refused[] = {
	{"[]", "package.json:1:1: 'package.json' must be an object, not a list"},
	{"{\"dependencies\":[]}",
		"package.json:1:17: 'dependencies' must be an object of names and ranges, not a list"},
	{"{\"dependencies\":null}",
		"package.json:1:17: 'dependencies' must be an object of names and ranges, not null"},
	{"{\"dependencies\":{\"foo\":1}}",
		"package.json:1:24: the range of 'foo' in 'dependencies' must be a string"},
	{"{\"devDependencies\":{\"foo\":{}}}",
		"package.json:1:27: the range of 'foo' in 'devDependencies' must be a string"},
	{"{\"a\":1,\"a\":2}", "package.json:1:10: duplicate object key near '\"a\"'"},
	{"{", "package.json:1:1: string or '}' expected near end of file"},
};

static void own_content_that_cannot_be_used_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		CLEANUP(npm_run_release) struct npm_run run = {.own = refused[i].own};
		CLEANUP(error_release) struct error err = ERROR_INIT;

		npm_run_skills(&run, "{a: {foo: ^1.0.0}}");
		assert_int_equal(npm_run_try(&run, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
		assert_string_equal(err.message, refused[i].message);
		assert_non_null(err.hint);
	}
}

static void what_is_not_ours_may_be_anything(void **state)
{
	(void)state;
	assert_there_and_back(
		"{\"devDependencies\":[],\"dependencies\":{\"__proto__\":1,\"a\":\"x y\"}}",
		"{s: {foo: 1.0.0}}",
		"{\"devDependencies\":[],\"dependencies\":{\"__proto__\":1,\"a\":\"x y\","
		"\"foo\":\"1.0.0\"}}");
}

static const struct {
	const char *declared;
	const char *where;
	const char *text;
	enum fault_severity severity;
} faulty[] = {
	{"foo", "manifest.yaml:1:1", "'npm_dependencies' must be a mapping of names and ranges",
		FAULT_ERROR},
	{"{foo: [1]}", "manifest.yaml:1:7",
		"npm dependency 'foo' must have a range, a string such as \"^1.2.0\"",
		FAULT_ERROR},
	{"{foo: }", "manifest.yaml:1:7",
		"npm dependency 'foo' must have a range, a string such as \"^1.2.0\"",
		FAULT_ERROR},
	{"{foo: not a range}", "manifest.yaml:1:7",
		"npm dependency 'foo' has 'not a range', which is not a range, tag or address that npm accepts",
		FAULT_ERROR},
	{"{__proto__: 1.0.0}", "manifest.yaml:1:2",
		"npm dependency '__proto__' has a name that begins with a dot, a hyphen or an "
		"underscore",
		FAULT_ERROR},
	{"{JSONStream: 1.0.0}", "manifest.yaml:1:2",
		"npm dependency 'JSONStream' has a name that has capital letters, which npm "
		"allows only for old packages",
		FAULT_NOTE},
	{"- foo\n- [x]\n", "manifest.yaml:2:3",
		"item 2 of 'npm_dependencies' must be the name of a package", FAULT_ERROR},
	{"- foo\n- foo@1.0.0\n", "manifest.yaml:2:3",
		"npm dependency 'foo' is declared twice (first on line 1)", FAULT_ERROR},
};

static void faults_of_a_declaration_have_their_places(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(faulty); i++) {
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = npm_run_yaml(faulty[i].declared);
		CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

		structured_npm.check(doc->root, &faults);
		assert_int_equal(faults.count, 1);
		assert_string_equal(faults.list[0].text, faulty[i].text);
		assert_string_equal(faults.list[0].where, faulty[i].where);
		assert_int_equal(faults.list[0].severity, faulty[i].severity);
	}
}

static void good_declarations_have_no_faults(void **state)
{
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *doc = npm_run_yaml(
		"{whatsapp-web.js: ^2.1.0, '@s/a': latest, b: 'npm:c@1.0.0', d: 1.0, e: ''}");
	CLEANUP(faults_release) struct faults faults = FAULTS_INIT;

	(void)state;
	structured_npm.check(doc->root, &faults);
	assert_int_equal(faults.count, 0);
}

/* --- problems ------------------------------------------------------------------- */

static void a_range_is_a_problem_where_it_allows_more_than_skills_it_agrees_with(void **state)
{
	static const struct {
		const char *file;
		const char *problem; /* NULL: none */
	} table[] = {
		{"{\"dependencies\": {\"x\": \"^1.5.0\"}}", NULL},
		{"{\"dependencies\": {\"x\": \"1.7.0\"}}", NULL},
		{"{\"dependencies\": {\"x\": \"^2.0.0\"}}", NULL},
		{"{\"dependencies\": {\"x\": \"^1.0.0 || ^2.0.0\"}}", NULL},
		{"{\"dependencies\": {}}", NULL},
		{"{\"dependencies\": {\"x\": \"latest\"}}", NULL},
		{"{\"dependencies\": {\"x\": \"^1.0.0\"}, \"overrides\": {\"x\": \"1.5.0\"}}",
			NULL},
		{"no json", NULL},
		{"{\"dependencies\": {\"x\": \"^1.2.0\"}}",
			"'x' ^1.2.0 in 'package.json' allows versions that skill 'b' does not "
			"accept (it wants ^1.5.0): write ^1.5.0"},
		{"{\"devDependencies\": {\"x\": \">=1.5.0 <3\"}}", NULL},
	};
	CLEANUP(npm_run_release) struct npm_run run = {0};

	(void)state;
	npm_run_skills(&run, "{a: {x: ^1.0.0}, b: {x: ^1.5.0}, c: {x: ^2.0.0}}");
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(string_array_release) struct string_array problems = {0};

		structured_npm.find_problems(
			"package.json", view_of(table[i].file), run.list, run.count, &problems);
		assert_int_equal(problems.count, table[i].problem ? 1 : 0);
		if (table[i].problem)
			assert_string_equal(problems.list[0], table[i].problem);
	}
}

TESTS(cmocka_unit_test(a_range_is_a_problem_where_it_allows_more_than_skills_it_agrees_with),
	cmocka_unit_test(without_contributions_the_bytes_stay),
	cmocka_unit_test(a_missing_file_is_made),
	cmocka_unit_test(new_dependencies_come_last_and_sorted),
	cmocka_unit_test(lists_of_old_packages_are_understood),
	cmocka_unit_test(layouts_are_kept), cmocka_unit_test(ranges_of_all_are_put_together),
	cmocka_unit_test(a_file_that_has_it_all_keeps_its_bytes),
	cmocka_unit_test(unsorted_names_are_sorted_and_come_back_unsorted),
	cmocka_unit_test(one_for_development_moves_and_comes_back),
	cmocka_unit_test(an_optional_one_moves_and_a_peer_stays),
	cmocka_unit_test(a_pin_is_written_where_it_agrees),
	cmocka_unit_test(pins_of_other_things_do_not_count),
	cmocka_unit_test(a_clash_names_all_and_their_ranges),
	cmocka_unit_test(a_clash_is_written_as_asked),
	cmocka_unit_test(a_decision_about_the_same_claims_counts),
	cmocka_unit_test(what_stands_in_the_file_resolves_a_clash),
	cmocka_unit_test(an_edited_range_is_the_persons),
	cmocka_unit_test(one_that_was_taken_out_is_unwanted),
	cmocka_unit_test(what_is_unwanted_stays_out_with_a_warning),
	cmocka_unit_test(without_a_record_what_is_as_declared_goes),
	cmocka_unit_test(the_outcome_has_range_and_skills),
	cmocka_unit_test(own_content_that_cannot_be_used_is_refused),
	cmocka_unit_test(what_is_not_ours_may_be_anything),
	cmocka_unit_test(faults_of_a_declaration_have_their_places),
	cmocka_unit_test(good_declarations_have_no_faults))
