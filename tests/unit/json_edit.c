/* One member of a file is changed, and nothing else of it. */
#include "test.h"

#include <string.h>

#include "format/json_edit.h"

static const struct {
	const char *text;
	const char *keys[3];
	const char *value; /* NULL: taken out */
	const char *after;
} cases[] = {
	{"{}", {"a"}, "1", "{\n  \"a\": 1\n}"},
	{"{}\n", {"a"}, "{\"b\":[1]}", "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  }\n}\n"},
	{"{ \"b\" : 2 }", {"b"}, "\"x\"", "{ \"b\" : \"x\" }"},
	{"{\"b\": 2, \"c\": 3}", {"a"}, "[1, 2]", "{\"b\": 2, \"c\": 3, \"a\": [1,2]}"},
	{"{\n\t\"b\": 2,\n\n\t\"c\":   [ 3 ]\n}\n", {"b"}, "{\"x\": 1}",
		"{\n\t\"b\": {\n\t\t\"x\": 1\n\t},\n\n\t\"c\":   [ 3 ]\n}\n"},
	{"{\n  \"b\": 2\n}\n", {"c"}, "3", "{\n  \"b\": 2,\n  \"c\": 3\n}\n"},
	{"{\n  \"b\": {}\n}\n", {"b", "c"}, "3", "{\n  \"b\": {\n    \"c\": 3\n  }\n}\n"},
	{"{\n  \"b\": {\"x\": 1}\n}\n", {"b", "c"}, "3",
		"{\n  \"b\": {\"x\": 1, \"c\": 3}\n}\n"},
	{"{\n  \"b\": 5\n}\n", {"b", "c"}, "3", "{\n  \"b\": {\n    \"c\": 3\n  }\n}\n"},
	{"{}", {"l", "s"}, "1", "{\n  \"l\": {\n    \"s\": 1\n  }\n}"},
	{"{\"\\u0061\": 1, \"b\": 2}", {"a"}, "3", "{\"\\u0061\": 3, \"b\": 2}"},
	/* Taken out: the first, one between, the last, the only one, none. */
	{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", {"a"}, NULL, "{\n  \"b\": 2\n}\n"},
	{"{\"a\": 1, \"b\": 2, \"c\": 3}", {"b"}, NULL, "{\"a\": 1, \"c\": 3}"},
	{"{\n  \"a\": 1,\n  \"b\": 2\n}\n", {"b"}, NULL, "{\n  \"a\": 1\n}\n"},
	{"{ \"a\": 1 }", {"a"}, NULL, "{}"},
	{"{ \"a\": 1 }", {"b"}, NULL, "{ \"a\": 1 }"},
	{"{ \"a\": 1 }", {"a", "b"}, NULL, "{ \"a\": 1 }"},
};

static void a_change_leaves_the_rest_as_it_was(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(json_decrefp) json_t *value = NULL;
		CLEANUP(buf_release) struct buf out = BUF_INIT;

		if (cases[i].value)
			assert_int_equal(
				json_read(view_of(cases[i].value), "v", 1000, &value, &err), 0);
		json_edit(view_of(cases[i].text), cases[i].keys, value, &out);
		assert_string_equal(out.data, cases[i].after);
	}
}

TESTS(cmocka_unit_test(a_change_leaves_the_rest_as_it_was))
