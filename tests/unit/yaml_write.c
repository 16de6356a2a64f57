#include "test.h"

#include <string.h>

#include "format/yaml_write.h"

static struct yaml_doc *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct yaml_doc *doc = NULL;

	if (yaml_parse(view_of(text), "m.yaml", &doc, &err) < 0)
		fail_msg("%s", err.message);
	return doc;
}

/* The text, after a check that it reads back as the same tree. */
static char *write_checked(const struct yaml_node *root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *again = NULL;

	assert_int_equal(yaml_write(root, &out, &err), 0);
	again = parse(out.data);
	assert_true(yaml_equal(root, again->root));
	return buf_take(&out);
}

static void assert_written(const char *text, const char *expected)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse(text);
	CLEANUP(freep) char *first = write_checked(doc->root);
	CLEANUP(yaml_doc_freep) struct yaml_doc *again = parse(first);
	CLEANUP(freep) char *second = write_checked(again->root);

	assert_string_equal(first, expected);
	assert_string_equal(second, expected);
}

static void keys_are_sorted_and_sequences_keep_their_order(void **state)
{
	(void)state;
	assert_written("b: [z, a]\na: {d: 1, c: 2}\nB: x\n", "B: x\n"
							     "a:\n"
							     "  c: 2\n"
							     "  d: 1\n"
							     "b:\n"
							     "  - z\n"
							     "  - a\n");
}

static void collections_nest_by_two_spaces(void **state)
{
	(void)state;
	assert_written("- [[a, b], c]\n- {x: [1], z: {}}\n- []\n", "- - - a\n"
								   "    - b\n"
								   "  - c\n"
								   "- x:\n"
								   "    - 1\n"
								   "  z: {}\n"
								   "- []\n");
}

static void a_root_may_be_anything(void **state)
{
	(void)state;
	assert_written("", "null\n");
	assert_written("{}", "{}\n");
	assert_written("'--- x'", "\"--- x\"\n");
	assert_written("text", "text\n");
}

static void aliases_are_written_out(void **state)
{
	(void)state;
	assert_written("a: &a [1]\nb: *a\n", "a:\n  - 1\nb:\n  - 1\n");
}

static void plain_scalars_that_are_no_strings_stay_as_they_were(void **state)
{
	(void)state;
	assert_written("[1.0, 0x1F, true, ~, Null, -.inf, '1.0', 'true', '', yes]",
		"- 1.0\n- 0x1F\n- true\n- ~\n- Null\n- -.inf\n- \"1.0\"\n- \"true\"\n- \"\"\n"
		"- \"yes\"\n");
	assert_written("{1: a, '2': b, true: c, on: d, a: }",
		"1: a\n\"2\": b\na: null\n\"on\": d\ntrue: c\n");
}

static void strings_that_some_reader_would_mistake_are_quoted(void **state)
{
	static const char *const texts[] = {"", "~", "null", "NULL", "True", "yes", "No", "ON",
		"off", "y", "N", "=", "<<", "0", "-1", "+1", "1.0", ".5", "1e3", "1E3", "1_000",
		"0o7", "07", "0x1f", "0b1", ".inf", "-.INF", ".nan", "12:30", "1:2:3.5",
		"2026-01-01", "2026-02-16T22:47:02.139Z", "2001-1-1", "1,000", " a", "a ",
		"a: b", "a:", "a #b", "#a", "- a", "-", "-a", "?", "? a", ":a", "[a", "]", "{a",
		"}", ",a", "&a", "*a", "!a", "|", ">", "'a", "\"a", "%a", "@a", "`a", "a\nb",
		"a\tb", "a\rb", "\x01", "\x7f", "\xc2\x85", "\xc2\xa0", "\xe2\x80\xa8",
		"\xef\xbb\xbf", "\xe2\x80\xae", "---", "...", "--- a", "... a", "0x",
		"123456e12", "0b12"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("made");
		CLEANUP(freep) char *text = NULL;

		doc->root = yaml_new_string(doc, texts[i]);
		text = write_checked(doc->root);
		if (text[0] != '"')
			fail_msg("not quoted: %s", text);
	}
}

static void other_strings_stand_without_quotes(void **state)
{
	static const char *const texts[] = {"0.1.0", "1.2.3-beta", "a", "nope", "yes please",
		"a:b", "a#b", "http://a/b?c=d&e", "src/channels/telegram.c", "^1.0.0", "~/x",
		"é漢😀", "it's", "a, [b] {c}", "$HOME", "0xyz", "e3", "1a2b3c", "_", "(a)",
		"a=b", ".env", "..", "x|y", "null.c"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (!yaml_plain_safe(view_of(texts[i])))
			fail_msg("quoted: %s", texts[i]);
}

static void escapes_are_those_of_json(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("made");
	CLEANUP(freep) char *text = NULL;

	(void)state;
	doc->root = yaml_new_string_view(
		doc, (struct view){"\0\b\t\n\f\r\"\\\x1b\x7f\xc2\x85/é\xef\xbb\xbf", 18});
	text = write_checked(doc->root);
	assert_string_equal(
		text, "\"\\u0000\\b\\t\\n\\f\\r\\\"\\\\\\u001b\\u007f\\u0085/é\\ufeff\"\n");
}

static void a_built_tree_is_written(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("made");
	CLEANUP(freep) char *text = NULL;
	struct yaml_node *list = yaml_new_sequence(doc);

	(void)state;
	doc->root = yaml_new_mapping(doc);
	yaml_append(list, yaml_new_int(doc, INT64_MIN));
	yaml_append(list, yaml_new_bool(doc, false));
	yaml_append(list, yaml_new_null(doc));
	yaml_set(doc->root, "when", yaml_new_string(doc, "2026-02-16T22:47:02.139Z"));
	yaml_set(doc->root, "list", list);
	yaml_set(doc->root, "name", yaml_new_string(doc, "old"));
	yaml_set(doc->root, "name", yaml_new_string(doc, "new"));
	text = write_checked(doc->root);
	assert_string_equal(text, "list:\n"
				  "  - -9223372036854775808\n"
				  "  - false\n"
				  "  - null\n"
				  "name: new\n"
				  "when: \"2026-02-16T22:47:02.139Z\"\n");
}

static void setting_and_removing_keep_the_keys_sorted(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = parse("d: 1\nb: 2\n");
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;

	(void)state;
	yaml_set(doc->root, "a", yaml_new_int(doc, 3));
	yaml_set(doc->root, "c", yaml_new_int(doc, 4));
	assert_true(yaml_remove(doc->root, "b"));
	assert_false(yaml_remove(doc->root, "b"));
	assert_null(yaml_get(doc->root, "b"));
	assert_string_equal(yaml_get(doc->root, "c")->text.data, "4");
	text = write_checked(doc->root);
	assert_string_equal(text, "a: 3\nc: 4\nd: 1\n");
	assert_int_equal(yaml_write_ordered(doc->root, YAML_KEYS_AS_THEY_ARE, &out, &err), 0);
	assert_string_equal(out.data, "d: 1\na: 3\nc: 4\n");
}

static void a_copy_lives_on_without_the_original(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("copy");
	CLEANUP(freep) char *text = NULL;
	struct yaml_doc *original = parse("b: [1, {x: z}]\na: '2'\n");

	(void)state;
	doc->root = yaml_copy(doc, original->root);
	assert_true(yaml_equal(doc->root, original->root));
	yaml_doc_free(original);
	text = write_checked(doc->root);
	assert_string_equal(text, "a: \"2\"\nb:\n  - 1\n  - x: z\n");
}

static void many_keys_in_any_order_can_be_set(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("made");
	CLEANUP(freep) char *text = NULL;

	(void)state;
	doc->root = yaml_new_mapping(doc);
	for (int i = 0; i < 2000; i++) {
		char key[16];

		snprintf(key, sizeof(key), "k%d", i * 7919 % 2000);
		yaml_set(doc->root, key, yaml_new_int(doc, i));
	}
	assert_int_equal(doc->root->count, 2000);
	text = write_checked(doc->root);
}

static void long_keys_and_values_read_back(void **state)
{
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("made");
	CLEANUP(buf_release) struct buf key = BUF_INIT;
	CLEANUP(freep) char *text = NULL;
	struct yaml_node *inner = yaml_new_mapping(doc);

	(void)state;
	doc->root = yaml_new_mapping(doc);
	for (size_t i = 990; i < 1030; i++) {
		buf_clear(&key);
		buf_append_repeated(&key, 'k', i);
		yaml_set(inner, key.data, yaml_new_string(doc, key.data));
	}
	buf_append_repeated(&key, '\x01', 100000);
	yaml_set(doc->root, key.data, inner);
	text = write_checked(doc->root);
}

static void what_could_not_be_read_is_not_written(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	CLEANUP(yaml_doc_freep) struct yaml_doc *doc = yaml_doc_new("made");
	struct yaml_node *circle = yaml_new_sequence(doc);

	(void)state;
	assert_int_equal(yaml_write(yaml_new_string(doc, "a\xff"), &out, &err), -1);
	assert_string_equal(err.message, "text 'a?' cannot be written as YAML: not UTF-8");
	error_clear(&err);
	yaml_append(circle, circle);
	assert_int_equal(yaml_write(circle, &out, &err), -1);
	assert_string_equal(
		err.message, "a tree nested deeper than 64 cannot be written as YAML");
}

TESTS(cmocka_unit_test(keys_are_sorted_and_sequences_keep_their_order),
	cmocka_unit_test(collections_nest_by_two_spaces),
	cmocka_unit_test(a_root_may_be_anything), cmocka_unit_test(aliases_are_written_out),
	cmocka_unit_test(plain_scalars_that_are_no_strings_stay_as_they_were),
	cmocka_unit_test(strings_that_some_reader_would_mistake_are_quoted),
	cmocka_unit_test(other_strings_stand_without_quotes),
	cmocka_unit_test(escapes_are_those_of_json), cmocka_unit_test(a_built_tree_is_written),
	cmocka_unit_test(setting_and_removing_keep_the_keys_sorted),
	cmocka_unit_test(a_copy_lives_on_without_the_original),
	cmocka_unit_test(many_keys_in_any_order_can_be_set),
	cmocka_unit_test(long_keys_and_values_read_back),
	cmocka_unit_test(what_could_not_be_read_is_not_written))
