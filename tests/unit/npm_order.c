#include "test.h"

#include <string.h>

#include "base/alloc.h"
#include "engine/structured/npm/npm.h"

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

/* tests/oracle/npm-order.sh asks node about many more. */
static void names_are_in_the_order_of_npm(void **state)
{
	static const char *const sorted[] = {"", "_", "-", "!", ".", "'", "(", ")", "@", "*",
		"/", "~", "0", "10", "9", "a", "A", "a_b", "a-b", "a-B", "a.b", "a/b", "a0",
		"aa", "aA", "Aa", "ab", "B", "z", "Z"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sorted); i++)
		for (size_t k = 0; k < ARRAY_SIZE(sorted); k++) {
			int expected = (i > k) - (i < k);

			if (sign(npm_compare(sorted[i], sorted[k])) != expected)
				fail_msg("'%s' and '%s'", sorted[i], sorted[k]);
		}
	assert_true(npm_compare("@a-b/c", "@a/b") < 0);
}

static void case_counts_only_between_equal_names(void **state)
{
	(void)state;
	assert_true(npm_compare("JSONStream", "jsonstream2") < 0);
	assert_true(npm_compare("jsonstream", "JSONStream") < 0);
	assert_true(npm_compare("Ab", "aC") < 0);
	assert_true(npm_compare("aB", "Ab") < 0);
}

static void a_section_is_sorted_and_added_to(void **state)
{
	CLEANUP(json_decrefp)
	json_t *section = json_pack("{s:s,s:s,s:s}", "b", "1", "B-c", "2", "a", "3");
	CLEANUP(json_decrefp) json_t *sorted = npm_sorted(section);
	CLEANUP(json_decrefp) json_t *added = json_string("4");
	CLEANUP(json_decrefp) json_t *more = npm_inserted(sorted, "B", added);
	static const char *const expected[] = {"a", "b", "B", "B-c"};
	size_t count = 0;
	const char *key;
	json_t *value;

	(void)state;
	assert_false(npm_is_sorted(section));
	assert_true(npm_is_sorted(sorted));
	assert_true(npm_is_sorted(more));
	assert_int_equal(json_object_size(more), ARRAY_SIZE(expected));
	json_object_foreach(more, key, value)
		assert_string_equal(key, expected[count++]);
}

TESTS(cmocka_unit_test(names_are_in_the_order_of_npm),
	cmocka_unit_test(case_counts_only_between_equal_names),
	cmocka_unit_test(a_section_is_sorted_and_added_to))
