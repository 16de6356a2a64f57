#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "format/yaml.h"

#define MEGABYTE ((size_t)1024 * 1024)

static struct yaml_doc *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;

	if (yaml_parse(view_of(text), "m.yaml", &doc, &err) < 0)
		fail_msg("%s", err.message);
	return doc;
}

static void assert_refused(
	struct view text, const struct yaml_limits *limits, const char *message)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;

	assert_int_equal(yaml_parse_limited(text, "m.yaml", limits, &doc, &err), -1);
	assert_null(doc);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_string_equal(err.message, message);
}

static void refused(const char *text, const char *message)
{
	assert_refused(view_of(text), &(struct yaml_limits){0}, message);
}

/* --- what is read ----------------------------------------------------------- */

static void entries_keep_their_order_and_places(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse("b: 1\na:\n  - x\n  - é: y\n");
	const struct yaml_entry *entries = doc->root->entries;

	(void)state;
	assert_int_equal(doc->root->kind, YAML_MAPPING);
	assert_int_equal(doc->root->count, 2);
	assert_string_equal(entries[0].key.data, "b");
	assert_int_equal(entries[1].key_at.line, 2);
	assert_int_equal(entries[1].key_at.column, 1);
	assert_int_equal(entries[1].value->items[0]->at.line, 3);
	assert_int_equal(entries[1].value->items[0]->at.column, 5);
	/* Columns are characters, not bytes. */
	assert_int_equal(entries[1].value->items[1]->entries[0].value->at.column, 8);
}

static void a_key_is_found_among_many(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++)
		buf_appendf(&text, "k%d: v%d\n", i * 7919 % 1000, i * 7919 % 1000);
	doc = parse(text.data);
	assert_string_equal(yaml_get(doc->root, "k0")->text.data, "v0");
	assert_string_equal(yaml_get(doc->root, "k999")->text.data, "v999");
	assert_null(yaml_get(doc->root, "k1000"));
	assert_null(yaml_get(yaml_get(doc->root, "k0"), "k0"));
}

static void an_empty_document_is_null(void **state)
{
	static const char *const texts[] = {"", "\n\n", "# comment", "---\n", UTF8_BOM};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *none = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse(texts[i]);

		assert_true(yaml_is_null(doc->root));
		assert_in_range(doc->root->at.line, 1, 2);
	}
	assert_int_equal(yaml_parse((struct view){NULL, 0}, "m.yaml", &none, &err), 0);
}

static void a_bom_and_windows_line_ends_change_nothing(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *unix_doc = parse("a: 1\nb:\n  - x\n");
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *windows_doc = parse(UTF8_BOM "a: 1\r\nb:\r\n  - x\r\n");

	(void)state;
	assert_true(yaml_equal(unix_doc->root, windows_doc->root));
	assert_int_equal(windows_doc->root->entries[0].key_at.column, 1);
	assert_int_equal(windows_doc->root->entries[1].key_at.line, 2);
}

static void an_alias_is_the_same_node(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse("a: &x [1]\nb: *x\n&k c: *k\n");

	(void)state;
	assert_ptr_equal(yaml_get(doc->root, "a"), yaml_get(doc->root, "b"));
	assert_string_equal(yaml_get(doc->root, "c")->text.data, "c");
}

static void a_merge_key_is_a_key(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse("a: &a {x: 1}\n<<: *a\n");

	(void)state;
	assert_null(yaml_get(doc->root, "x"));
	assert_non_null(yaml_get(doc->root, "<<"));
}

static void tags_of_the_core_schema_are_applied(void **state)
{
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *doc = parse("- !!str 1\n- !!int '5'\n- !!seq [a]\n- !!map {}\n");

	(void)state;
	assert_int_equal(yaml_type_of(doc->root->items[0]), YAML_STRING);
	assert_int_equal(yaml_type_of(doc->root->items[1]), YAML_INT);
}

static void a_long_scalar_is_read_whole(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;

	(void)state;
	buf_append_str(&text, "a: ");
	buf_append_repeated(&text, 'x', MEGABYTE - 3);
	doc = parse(text.data);
	assert_int_equal(yaml_get(doc->root, "a")->text.len, MEGABYTE - 3);
}

/* --- what is refused -------------------------------------------------------- */

static void a_key_must_not_appear_twice(void **state)
{
	(void)state;
	refused("skill: a\n\n  \nskill: b\n",
		"m.yaml:4:1: key 'skill' appears twice (first on line 1)");
	refused("a:\n  - b: 1\n    'b': 2\n",
		"m.yaml:3:5: key 'b' appears twice (first on line 2)");
	refused("{a: {b: {c: 1, c: 2}}}",
		"m.yaml:1:16: key 'c' appears twice (first on line 1)");
	refused("c: 1\nb: 1\nc: 2\nb: 2\n",
		"m.yaml:3:1: key 'c' appears twice (first on line 1)");
	refused("\"a\\e[31m\": 1\n\"a\\e[31m\": 2\n",
		"m.yaml:2:1: key 'a?[31m' appears twice (first on line 1)");
}

static void a_key_must_be_a_scalar(void **state)
{
	(void)state;
	refused("[a]: 1\n", "m.yaml:1:1: a key must be a scalar");
	refused("? {a: b}\n: 1\n", "m.yaml:1:3: a key must be a scalar");
	refused("a: &a [1]\n*a : 2\n", "m.yaml:2:1: a key must be a scalar");
	refused("?\n: 1\n", "m.yaml:1:2: a key is missing");
}

static void there_must_be_one_document(void **state)
{
	(void)state;
	refused("a: 1\n---\nb: 2\n", "m.yaml:2:1: more than one document");
	refused("a\n...\n---\n", "m.yaml:3:1: more than one document");
}

static void bytes_must_be_printable_utf8(void **state)
{
	(void)state;
	refused("a: 1\nb: \xff\n", "m.yaml:2:4: not UTF-8");
	refused("a: \xc0\x80", "m.yaml:1:4: not UTF-8");
	refused("é: \xed\xa0\x80", "m.yaml:1:4: not UTF-8");
	refused("a: \x1b[2J", "m.yaml:1:4: control character U+001B");
	assert_refused((struct view){"a: \0", 4}, &(struct yaml_limits){0},
		"m.yaml:1:4: control character U+0000");
	/* UTF-16, which libyaml would read. */
	assert_refused((struct view){"\xff\xfe"
				     "a\0",
			       4},
		&(struct yaml_limits){0}, "m.yaml:1:1: not UTF-8");
}

static void syntax_errors_name_their_place(void **state)
{
	(void)state;
	refused("a:\n\t- b\n", "m.yaml:2:1: found character that cannot start any token "
			       "while scanning for the next token");
	refused("a: [b, c\n",
		"m.yaml:2:1: did not find expected ',' or ']' while parsing a flow sequence");
	refused("a: 'b\n",
		"m.yaml:2:1: found unexpected end of stream while scanning a quoted scalar");
	refused("a: b: c\n", "m.yaml:1:5: mapping values are not allowed in this context");
	refused("a: \"\\ud800\"\n",
		"m.yaml:1:7: found invalid Unicode character escape code while parsing a quoted "
		"scalar");
}

static void other_tags_are_refused(void **state)
{
	(void)state;
	refused("a: !ruby/object x\n", "m.yaml:1:4: tag '!ruby/object' does not fit here");
	refused("a: !!int x\n", "m.yaml:1:4: tag 'tag:yaml.org,2002:int' does not fit here");
	refused("!!map [a]\n", "m.yaml:1:1: tag 'tag:yaml.org,2002:map' does not fit here");
	refused("!!set {a}\n", "m.yaml:1:1: tag 'tag:yaml.org,2002:set' does not fit here");
}

static void an_alias_must_repeat_something_finished(void **state)
{
	(void)state;
	refused("a: *b\n", "m.yaml:1:4: alias 'b' has no anchor");
	refused("&a [*a]\n", "m.yaml:1:5: alias 'a' is inside its own anchor");
	refused("a: &a\n  b: {c: *a}\n", "m.yaml:2:10: alias 'a' is inside its own anchor");
}

static void an_alias_bomb_is_refused(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, "a: &a [x,x,x,x,x,x,x,x,x]\n");
	for (char c = 'b'; c <= 'z'; c++) {
		buf_appendf(&text, "%c: &%c [", c, c);
		for (int i = 0; i < 9; i++)
			buf_appendf(&text, "%s*%c", i ? "," : "", c - 1);
		buf_append_str(&text, "]\n");
	}
	refused(text.data, "m.yaml:6:11: more than 200000 nodes, with aliases counted as often "
			   "as they are used");
}

/* Each anchor is shallow where it stands; what it repeats adds up. */
static void depth_is_counted_through_aliases(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, "- &a ");
	buf_append_repeated(&text, '[', 40);
	buf_append_repeated(&text, ']', 40);
	buf_append_str(&text, "\n- ");
	buf_append_repeated(&text, '[', 40);
	buf_append_str(&text, "*a");
	buf_append_repeated(&text, ']', 40);
	refused(text.data, "m.yaml:2:43: nested deeper than 64");
}

static void anchors_are_limited(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 300; i++)
		buf_appendf(&text, "- &a%d x\n", i);
	refused(text.data, "m.yaml:257:3: more than 256 anchors");
}

static void nesting_is_limited(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_repeated(&text, '[', 64);
	buf_append_repeated(&text, ']', 64);
	yaml_doc_free(parse(text.data));
	buf_clear(&text);
	buf_append_repeated(&text, '[', 65);
	buf_append_repeated(&text, ']', 65);
	refused(text.data, "m.yaml:1:65: nested deeper than 64");
}

static void size_is_limited_and_the_caller_may_say_otherwise(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	const struct yaml_limits limits = {.size = 2, .nodes = 0};

	(void)state;
	buf_append_repeated(&text, 'x', YAML_MAX_SIZE + 1);
	refused(text.data, "m.yaml: larger than 1048576 bytes");
	assert_refused(view_of("abc"), &limits, "m.yaml: larger than 2 bytes");
}

static void nodes_are_limited_and_the_caller_may_say_otherwise(void **state)
{
	const struct yaml_limits limits = {.size = 0, .nodes = 3};

	(void)state;
	assert_refused(view_of("[a, b, c]"), &limits,
		"m.yaml:1:8: more than 3 nodes, with aliases counted as often as they are used");
}

/* Ten megabytes each, let past the limit of size; libyaml alone would not end on some. */
/* If what follows the fault were read, or read again and again, this would not end. */
static void hostile_text_is_refused_at_once(void **state)
{
	static const struct {
		const char *unit;
		const char *message;
	} cases[] = {
		{"[", "m.yaml:1:65: nested deeper than 64"},
		{"[\n", "m.yaml:65:1: nested deeper than 64"},
		{"{a: ", "m.yaml:1:257: nested deeper than 64"},
		{"- ", "m.yaml:1:129: nested deeper than 64"},
		{"? ", "m.yaml:1:3: a key must be a scalar"},
		{"%TAG !a! b\n", "m.yaml:17:1: more than 16 %TAG directives"},
	};
	const struct yaml_limits limits = {.size = 2 * MEGABYTE, .nodes = 0};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		while (text.len < MEGABYTE)
			buf_append_str(&text, cases[i].unit);
		assert_refused(view_of_buf(&text), &limits, cases[i].message);
	}
}

/* --- types ------------------------------------------------------------------ */

static void plain_scalars_have_the_types_of_the_core_schema(void **state)
{
	static const struct {
		const char *text;
		enum yaml_type type;
	} cases[] = {
		{"", YAML_NULL},
		{"~", YAML_NULL},
		{"NULL", YAML_NULL},
		{"nULL", YAML_STRING},
		{"true", YAML_BOOL},
		{"FALSE", YAML_BOOL},
		{"yes", YAML_STRING},
		{"0", YAML_INT},
		{"-12", YAML_INT},
		{"+12", YAML_INT},
		{"0o17", YAML_INT},
		{"0xfF", YAML_INT},
		{"-0x1", YAML_STRING},
		{"0o8", YAML_STRING},
		{"0x", YAML_STRING},
		{"1.0", YAML_FLOAT},
		{".5", YAML_FLOAT},
		{"1.", YAML_FLOAT},
		{"1e3", YAML_FLOAT},
		{"-1.5E-3", YAML_FLOAT},
		{"-.inf", YAML_FLOAT},
		{".NaN", YAML_FLOAT},
		{"-.nan", YAML_STRING},
		{".", YAML_STRING},
		{"-", YAML_STRING},
		{"1e", YAML_STRING},
		{"e3", YAML_STRING},
		{"1_000", YAML_STRING},
		{"12:30", YAML_STRING},
		{"0.1.0", YAML_STRING},
		{"2026-01-01", YAML_STRING},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (yaml_plain_type(view_of(cases[i].text)) != cases[i].type)
			fail_msg("'%s' has the wrong type", cases[i].text);
}

static void getters_give_values(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *doc = parse(
		"version: 1.0\non: true\nmin: -9223372036854775808\nhex: 0x10\nlist: [a, 2, true]\n");
	const char *string = NULL;
	const char **strings = NULL;
	size_t count = 0;
	bool flag = false;
	int64_t number = 0;

	(void)state;
	assert_int_equal(yaml_string(yaml_get(doc->root, "version"), "v", &string, &err), 0);
	assert_string_equal(string, "1.0");
	assert_int_equal(yaml_bool(yaml_get(doc->root, "on"), "on", &flag, &err), 0);
	assert_true(flag);
	assert_int_equal(yaml_int(yaml_get(doc->root, "min"), "min", &number, &err), 0);
	assert_true(number == INT64_MIN);
	assert_int_equal(yaml_int(yaml_get(doc->root, "hex"), "hex", &number, &err), 0);
	assert_int_equal(number, 16);
	assert_int_equal(
		yaml_strings(yaml_get(doc->root, "list"), "list", &strings, &count, &err), 0);
	assert_int_equal(count, 3);
	assert_string_equal(strings[1], "2");
	assert_null(strings[3]);
}

static void assert_error(struct error *err, const char *message)
{
	assert_int_equal(err->kind, ERROR_INVALID);
	assert_string_equal(err->message, message);
	error_clear(err);
}

static void a_wrong_type_is_reported_at_its_place(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *doc = parse(
		"- {}\n- ~\n- \"true\"\n- 1.5\n- 9223372036854775808\n- [a, [b]]\n- \"\\0\"\n");
	struct yaml_node **items = doc->root->items;
	const char *string = NULL;
	const char **strings = NULL;
	size_t count = 0;
	bool flag;
	int64_t number;

	(void)state;
	assert_int_equal(yaml_string(items[0], "'x'", &string, &err), -1);
	assert_error(&err, "m.yaml:1:3: 'x' must be a string, not a mapping");
	assert_int_equal(yaml_string(items[1], "'x'", &string, &err), -1);
	assert_error(&err, "m.yaml:2:3: 'x' must be a string, not null");
	assert_int_equal(yaml_bool(items[2], "'x'", &flag, &err), -1);
	assert_error(&err, "m.yaml:3:3: 'x' must be true or false, not a string");
	assert_int_equal(yaml_int(items[3], "'x'", &number, &err), -1);
	assert_error(&err, "m.yaml:4:3: 'x' must be an integer, not a number with a fraction");
	assert_int_equal(yaml_int(items[4], "'x'", &number, &err), -1);
	assert_error(&err, "m.yaml:5:3: 'x' is too large an integer");
	assert_int_equal(yaml_strings(items[5], "'x'", &strings, &count, &err), -1);
	assert_error(&err, "m.yaml:6:7: item 2 of 'x' must be a string, not a sequence");
	assert_int_equal(yaml_strings(items[1], "'x'", &strings, &count, &err), -1);
	assert_error(&err, "m.yaml:2:3: 'x' must be a sequence of strings, not null");
	assert_int_equal(yaml_string(items[6], "'x'", &string, &err), -1);
	assert_error(&err, "m.yaml:7:3: 'x' must not contain a NUL byte");
	assert_int_equal(yaml_expect(items[0], YAML_SEQUENCE, "'x'", &err), -1);
	assert_error(&err, "m.yaml:1:3: 'x' must be a sequence, not a mapping");
	assert_null(string);
	assert_null(strings);
}

static void equality_is_of_types_and_values(void **state)
{
	CLEANUP(yaml_doc_freep)
	struct yaml_doc *doc = parse("- {a: 1, b: [x]}\n"
				     "- {b: ['x'], a: 1}\n"
				     "- {a: '1', b: [x]}\n"
				     "- {a: 1}\n"
				     "- {a: 1, c: [x]}\n"
				     "- ~\n"
				     "-\n");
	struct yaml_node **items = doc->root->items;

	(void)state;
	assert_true(yaml_equal(items[0], items[1]));
	assert_false(yaml_equal(items[0], items[2]));
	assert_false(yaml_equal(items[0], items[3]));
	assert_false(yaml_equal(items[0], items[4]));
	assert_true(yaml_equal(items[5], items[6]));
}

/* What stands between where a node begins and where it ends. */
static void assert_span(
	struct view text, struct yaml_place at, struct yaml_place end, const char *expected)
{
	struct view span = view_slice(text, yaml_offset(text, at), yaml_offset(text, end));

	if (!view_equal_str(span, expected))
		fail_msg("'%.*s' and not '%s'", VIEW_ARGS(span), expected);
}

static void nodes_know_where_they_end_in_the_text(void **state)
{
	static const struct {
		const char *text; /* the node is the value of 'k' */
		const char *value;
		bool flow;
	} table[] = {
		{"k: v # c\n", "v", false},
		{"k: 'a b'  \nl: x", "'a b'", false},
		{"k: [1, 2 ] # c\n", "[1, 2 ]", true},
		{"k:\n  a: 1\n  b: x # c\n  # d\n\nl: 1\n", "a: 1\n  b: x", false},
		{"k:\n- a\n- {b: c} \nl: 1\n", "- a\n- {b: c}", false},
		{"k:\n  a: |\n    t\n\nl: 1\n", "a: |\n    t\n\n", false},
		{"\xef\xbb\xbfj: \xc3\xbc\r\nk: \xc3\xa4 # c\r\n", "\xc3\xa4", false},
		{"# \xe2\x80\xa8k: v\xc2\x85l: w\n", "v", false},
		{"k: # none\n", "", false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct view text = view_of(table[i].text);
		const struct yaml_entry *entry;

		assert_int_equal(yaml_parse(text, "t", &doc, &err), 0);
		entry = yaml_find(doc->root, view_of("k"));
		assert_span(text, entry->value->at, entry->value->end, table[i].value);
		assert_int_equal(
			yaml_offset(text, entry->end), yaml_offset(text, entry->value->end));
		assert_int_equal(entry->value->flow, table[i].flow);
		assert_int_equal(yaml_offset(text, doc->end), text.len);
	}
}

static void an_entry_ends_behind_its_alias_and_a_document_at_its_dots(void **state)
{
	static const char text[] = "a: &a {x: y}\nb: *a # c\n...\n# d\n";
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = NULL;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(yaml_parse(view_of(text), "t", &doc, &err), 0);
	assert_span(view_of(text), doc->root->entries[1].key_at, doc->root->entries[1].end,
		"b: *a");
	assert_string_equal(text + yaml_offset(view_of(text), doc->end), "...\n# d\n");
}

TESTS(cmocka_unit_test(entries_keep_their_order_and_places),
	cmocka_unit_test(a_key_is_found_among_many),
	cmocka_unit_test(an_empty_document_is_null),
	cmocka_unit_test(a_bom_and_windows_line_ends_change_nothing),
	cmocka_unit_test(an_alias_is_the_same_node), cmocka_unit_test(a_merge_key_is_a_key),
	cmocka_unit_test(tags_of_the_core_schema_are_applied),
	cmocka_unit_test(a_long_scalar_is_read_whole),
	cmocka_unit_test(a_key_must_not_appear_twice), cmocka_unit_test(a_key_must_be_a_scalar),
	cmocka_unit_test(there_must_be_one_document),
	cmocka_unit_test(bytes_must_be_printable_utf8),
	cmocka_unit_test(syntax_errors_name_their_place),
	cmocka_unit_test(other_tags_are_refused),
	cmocka_unit_test(an_alias_must_repeat_something_finished),
	cmocka_unit_test(an_alias_bomb_is_refused),
	cmocka_unit_test(depth_is_counted_through_aliases),
	cmocka_unit_test(anchors_are_limited), cmocka_unit_test(nesting_is_limited),
	cmocka_unit_test(size_is_limited_and_the_caller_may_say_otherwise),
	cmocka_unit_test(nodes_are_limited_and_the_caller_may_say_otherwise),
	cmocka_unit_test(hostile_text_is_refused_at_once),
	cmocka_unit_test(plain_scalars_have_the_types_of_the_core_schema),
	cmocka_unit_test(getters_give_values),
	cmocka_unit_test(a_wrong_type_is_reported_at_its_place),
	cmocka_unit_test(equality_is_of_types_and_values),
	cmocka_unit_test(nodes_know_where_they_end_in_the_text),
	cmocka_unit_test(an_entry_ends_behind_its_alias_and_a_document_at_its_dots))
