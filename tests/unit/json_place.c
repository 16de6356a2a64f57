#include "test.h"

#include "base/alloc.h"
#include "format/json_span.h"

static const struct {
	const char *text;
	const char *keys[3];
	size_t line;
	size_t column;
} cases[] = {
	{"{}", {NULL}, 1, 1},
	{" \n {\"a\": 1}", {NULL}, 2, 2},
	{"{\"a\": 1}", {"a"}, 1, 7},
	{"{\n  \"a\": [\"b\", {\"c\": \"}\"}],\n  \"c\" : 2\n}", {"c"}, 3, 9},
	{"{\"x\":{\"b\":0},\n\"a\":{\"x\":1,\"b\":\n2}}", {"a", "b"}, 3, 1},
	{"{\"\\\"a\":1,\"a\":2}", {"a"}, 1, 14},
	{"\xef\xbb\xbf{\"a\":1}", {"a"}, 1, 6},
	/* Not there: where the search ended. */
	{"{\"a\":{\"b\":1}}", {"a", "c"}, 1, 6},
	{"{\"\\u0061\":1}", {"a"}, 1, 1},
	{"[1]", {"a"}, 1, 1},
};

static void a_value_is_found_by_its_keys(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t line;
		size_t column;

		json_place(view_of(cases[i].text), cases[i].keys, &line, &column);
		if (line != cases[i].line || column != cases[i].column)
			fail_msg("case %zu: %zu:%zu", i, line, column);
	}
}

TESTS(cmocka_unit_test(a_value_is_found_by_its_keys))
