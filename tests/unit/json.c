#include "test.h"

#include <string.h>

#include "format/json.h"
#include "format/json_number.h"

static json_t *parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = NULL;

	if (json_read(view_of(text), "p.json", JSON_MAX_SIZE, &json, &err) < 0)
		fail_msg("%s", err.message);
	return json;
}

static void assert_refused(struct view text, size_t max, const char *message)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	json_t *json = NULL;

	assert_int_equal(json_read(text, "p.json", max, &json, &err), -1);
	assert_null(json);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_string_equal(err.message, message);
}

static void refused(const char *text, const char *message)
{
	assert_refused(view_of(text), JSON_MAX_SIZE, message);
}

/* The file as npm leaves it, when it changes nothing. */
static void assert_npm(const char *text, const char *expected)
{
	CLEANUP(json_decrefp) json_t *json = parse(text);
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct json_style style = json_style_detect(view_of(text));

	json_write_npm(json, &style, &out);
	assert_string_equal(out.data, expected);
}

/* --- reading ---------------------------------------------------------------- */

static void numbers_are_doubles(void **state)
{
	CLEANUP(json_decrefp) json_t *json = parse("[1, 9007199254740993]");

	(void)state;
	assert_true(json_is_real(json_array_get(json, 0)));
	assert_true(json_real_value(json_array_get(json, 1)) == 9007199254740992.0);
}

static void a_bom_is_dropped(void **state)
{
	(void)state;
	json_decref(parse("\xef\xbb\xbf{}"));
	refused("\xef\xbb\xbf\xef\xbb\xbf{}", "p.json:1:1: invalid token near '?'");
}

static void a_key_must_not_appear_twice(void **state)
{
	(void)state;
	refused("{\"a\": {\n  \"b\": 1,\n  \"b\": 2}}",
		"p.json:3:5: duplicate object key near '\"b\"'");
}

static void nothing_may_follow_the_value(void **state)
{
	(void)state;
	refused("{}\n x", "p.json:2:2: end of file expected near 'x'");
	refused("{} {}", "p.json:1:4: end of file expected near '{'");
}

static void bad_syntax_names_its_place(void **state)
{
	(void)state;
	refused("", "p.json:1:1: unexpected token near end of file");
	assert_refused(
		(struct view){NULL, 0}, 10, "p.json:1:1: unexpected token near end of file");
	refused("{\"a\": [1,\r\n", "p.json:2:1: ']' expected near end of file");
	refused("{'a': 1}", "p.json:1:2: string or '}' expected near '''");
	refused("[1e400]", "p.json:1:6: real number overflow near '1e400'");
	refused("[\"\\ud800\"]", "p.json:1:9: invalid Unicode '\\uD800' near '\"\\ud800\"'");
	refused("[\"a\tb\"]", "p.json:1:3: control character 0x9 near '\"a'");
	refused("[\"\x1b[31m\"]", "p.json:1:2: control character 0x1b near '\"'");
	assert_refused(
		(struct view){"[\0]", 3}, 10, "p.json:1:2: invalid token near end of file");
}

static void bytes_must_be_utf8(void **state)
{
	(void)state;
	refused("{\n \"é\xff\"}", "p.json:2:4: not UTF-8");
	refused("[\"\xc0\x80\"]", "p.json:1:3: not UTF-8");
	refused("[\"\xed\xa0\x80\"]", "p.json:1:3: not UTF-8");
}

static void size_is_limited(void **state)
{
	(void)state;
	assert_refused(view_of("[1]"), 2, "p.json: larger than 2 bytes");
}

static void nesting_is_limited(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	/* Brackets in strings do not count. */
	buf_append_str(&text, "[\"\\\"");
	buf_append_repeated(&text, '[', 1000);
	buf_append_str(&text, "\", ");
	buf_append_repeated(&text, '[', 255);
	buf_append_repeated(&text, ']', 256);
	json_decref(parse(text.data));
	buf_clear(&text);
	buf_append_repeated(&text, '[', (size_t)10 * 1024 * 1024);
	refused(text.data, "p.json:1:257: nested deeper than 256");
	buf_clear(&text);
	while (text.len < (size_t)10 * 1024 * 1024)
		buf_append_str(&text, "{\"a\":\n");
	refused(text.data, "p.json:257:1: nested deeper than 256");
}

/* --- writing as npm --------------------------------------------------------- */

static void the_style_of_the_file_is_kept(void **state)
{
	static const char *const texts[] = {
		"{\n  \"a\": 1\n}\n",
		"{\n    \"a\": [\n        1,\n        2\n    ]\n}\n",
		"{\n\t\"a\": {}\n}\n",
		"{\r\n  \"a\": []\r\n}\r\n",
		"[\n {\n  \"a\": null\n }\n]\n",
		"{\"a\":1}",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_npm(texts[i], texts[i]);
}

/* Each of these was written by npm 11. */
static void odd_styles_become_what_npm_makes_of_them(void **state)
{
	(void)state;
	assert_npm("{}", "{}\n");
	assert_npm("{}\r\n", "{}\r\n");
	assert_npm("[]\n\n", "[]\n\n");
	assert_npm("{ }\n", "{}");
	assert_npm("{ \"a\": 1 }\n", "{\"a\":1}");
	assert_npm("{\n\"a\": 1\n}\n", "{\"a\":1}\n");
	assert_npm(" {\n \"a\": 1}", "{\n \"a\": 1\n}\n");
	assert_npm("{\n\n  \"a\": 1}", "{\n\n  \"a\": 1\n\n}\n\n");
	assert_npm("{\n \n \"a\": 1}", "{\n \n \"a\": 1\n}\n");
	assert_npm("{\r\n \r\n \"a\": 1}", "{\r\n \r\r\n \"a\": 1\r\n}\r\n");
	assert_npm("{\n               \"a\": 1}", "{\n          \"a\": 1\n}\n");
	assert_npm("{\r\r\n  \"a\": 1}", "{\"a\":1}");
	assert_npm("\"x\"", "\"x\"\n");
}

static void keys_that_are_indexes_come_first(void **state)
{
	(void)state;
	assert_npm("{\"b\":1,\"10\":2,\"2\":3,\"00\":4,\"4294967294\":5,\"4294967295\":6,"
		   "\"-1\":7,\"\":8,\"0\":9}",
		"{\"0\":9,\"2\":3,\"10\":2,\"4294967294\":5,\"b\":1,\"00\":4,\"4294967295\":6,"
		"\"-1\":7,\"\":8}");
}

static void strings_have_the_escapes_of_json_stringify(void **state)
{
	(void)state;
	assert_npm(
		"[\"\\u0000\\u001F\\b\\f\\n\\r\\t\\\"\\\\\\/\\u007f\\u2028\\ud83d\\ude00é\"]",
		"[\"\\u0000\\u001f\\b\\f\\n\\r\\t\\\"\\\\/\x7f\xe2\x80\xa8😀é\"]");
}

static void numbers_are_written_as_in_javascript(void **state)
{
	(void)state;
	assert_npm("[0,-0,-0.0,1.0,1e2,1e20,1e21,123456789012345678901234567890]",
		"[0,0,0,1,100,100000000000000000000,1e+21,1.2345678901234568e+29]");
	assert_npm("[0.1,0.000001,1e-7,1.5e-7,-1.25,4.35,5e-324,1.7976931348623157e308]",
		"[0.1,0.000001,1e-7,1.5e-7,-1.25,4.35,5e-324,1.7976931348623157e+308]");
	assert_npm("[9007199254740993,0.30000000000000004,2.2250738585072014e-308,1e23]",
		"[9007199254740992,0.30000000000000004,2.2250738585072014e-308,1e+23]");
	/* A power of two, whose nearest decimal of that length does not read back. */
	assert_npm("[9007199254740992,5.551115123125783e-17,9.5367431640625e-7]",
		"[9007199254740992,5.551115123125783e-17,9.5367431640625e-7]");
}

static void integers_that_we_put_in_are_numbers_too(void **state)
{
	CLEANUP(json_decrefp) json_t *json = json_pack("[i, I]", 7, (json_int_t)1 << 53);
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	json_write_npm(json, &JSON_STYLE_DEFAULT, &out);
	assert_string_equal(out.data, "[\n  7,\n  9007199254740992\n]\n");
}

/* --- writing as we do ------------------------------------------------------- */

static void our_keys_are_sorted(void **state)
{
	CLEANUP(json_decrefp)
	json_t *json =
		json_pack("{s:i, s:[s, n], s:{}, s:I}", "b", 1, "a", "x", "2", "10", INT64_MAX);
	CLEANUP(buf_release) struct buf pretty = BUF_INIT;
	CLEANUP(buf_release) struct buf compact = BUF_INIT;

	(void)state;
	json_write_ours(json, true, &pretty);
	json_write_ours(json, false, &compact);
	assert_string_equal(pretty.data, "{\n"
					 "  \"10\": 9223372036854775807,\n"
					 "  \"2\": {},\n"
					 "  \"a\": [\n"
					 "    \"x\",\n"
					 "    null\n"
					 "  ],\n"
					 "  \"b\": 1\n"
					 "}\n");
	assert_string_equal(compact.data,
		"{\"10\":9223372036854775807,\"2\":{},\"a\":[\"x\",null],\"b\":1}");
}

static void text_that_is_not_utf8_is_a_string_all_the_same(void **state)
{
	static const struct view text = {"a\xff\xc3(\0\xe2\x82", 7};
	static const char expected[] = "a\xef\xbf\xbd\xef\xbf\xbd(\0\xef\xbf\xbd\xef\xbf\xbd";
	json_t *json = json_text(text);

	(void)state;
	assert_int_equal(json_string_length(json), sizeof(expected) - 1);
	assert_memory_equal(json_string_value(json), expected, sizeof(expected) - 1);
	json_decref(json);
	json = json_text(view_of(""));
	assert_string_equal(json_string_value(json), "");
	json_decref(json);
}

static void a_shape_lists_members_and_their_types(void **state)
{
	CLEANUP(json_decrefp) json_t *kept = json_string("kept");
	CLEANUP(json_decrefp) json_t *list = json_array();
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	(void)state;
	json_add(list, "s:s none:s S:S left_out:S v:v", "a", NULL, "b", NULL,
		((struct view){"cd", 1}));
	json_add(list, "b:b i:i I:I f:f", true, -1, (size_t)5000000000, 0.5);
	json_add(list, "o:o no:o O:O", json_true(), NULL, kept);
	json_put(json_array_get(list, 2), "more:s", "\xff");
	json_add(list, "");
	json_add_text(list, "text");
	json_add_text(list, NULL);
	json_write_ours(list, false, &out);
	assert_string_equal(out.data, "[{\"S\":\"b\",\"none\":null,\"s\":\"a\",\"v\":\"c\"},"
				      "{\"I\":5000000000,\"b\":true,\"f\":0.5,\"i\":-1},"
				      "{\"O\":\"kept\",\"more\":\"\xef\xbf\xbd\",\"o\":true},"
				      "{},\"text\",null]");
}

TESTS(cmocka_unit_test(numbers_are_doubles), cmocka_unit_test(a_bom_is_dropped),
	cmocka_unit_test(a_key_must_not_appear_twice),
	cmocka_unit_test(nothing_may_follow_the_value),
	cmocka_unit_test(bad_syntax_names_its_place), cmocka_unit_test(bytes_must_be_utf8),
	cmocka_unit_test(size_is_limited), cmocka_unit_test(nesting_is_limited),
	cmocka_unit_test(the_style_of_the_file_is_kept),
	cmocka_unit_test(odd_styles_become_what_npm_makes_of_them),
	cmocka_unit_test(keys_that_are_indexes_come_first),
	cmocka_unit_test(strings_have_the_escapes_of_json_stringify),
	cmocka_unit_test(numbers_are_written_as_in_javascript),
	cmocka_unit_test(integers_that_we_put_in_are_numbers_too),
	cmocka_unit_test(our_keys_are_sorted),
	cmocka_unit_test(text_that_is_not_utf8_is_a_string_all_the_same),
	cmocka_unit_test(a_shape_lists_members_and_their_types))
