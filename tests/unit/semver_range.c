#include "test.h"

#include <string.h>

#include "engine/structured/npm/semver_range.h"

static bool is_range(struct view text)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct semver_range range;

	return semver_range_parse(text, &arena, &range);
}

/* A version alone is a range, too. */
static bool has(const char *range, const char *version)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!is_range(view_of(range)))
		fail_msg("'%s' is no range", range);
	return semver_range_intersection((const char *[]){range, version}, 2, &text);
}

static void assert_has(const char *range, const char *version)
{
	if (!has(range, version))
		fail_msg("'%s' has no %s", range, version);
}

static void assert_has_not(const char *range, const char *version)
{
	if (has(range, version))
		fail_msg("'%s' has %s", range, version);
}

static void assert_no_range(struct view text)
{
	if (is_range(text))
		fail_msg("'%.*s' is taken for a range", VIEW_ARGS(text));
}

/* In every order of up to three texts. */
static void assert_common(const char *a, const char *b, const char *c, const char *expected)
{
	const char *const orders[][3] = {
		{a, b, c}, {b, a, c}, {a, c, b}, {b, c, a}, {c, a, b}, {c, b, a}};
	size_t count = c ? 3 : 2;

	for (size_t i = 0; i < (c ? ARRAY_SIZE(orders) : 2); i++) {
		CLEANUP(buf_release) struct buf text = BUF_INIT;

		if (!semver_range_intersection(orders[i], count, &text))
			fail_msg("'%s' and '%s' have nothing in common", a, b);
		if (strcmp(text.data, expected) != 0)
			fail_msg("'%s' and '%s': '%s', not '%s'", a, b, text.data, expected);
	}
}

static void assert_nothing(const char *const *texts, size_t count)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	assert_false(semver_range_intersection(texts, count, &text));
	assert_int_equal(text.len, 0);
}

/* --- reading -------------------------------------------------------------------- */

static void a_caret_keeps_the_first_number_that_is_not_zero(void **state)
{
	(void)state;
	assert_has("^1.2.3", "1.2.3");
	assert_has("^1.2.3", "1.99.0");
	assert_has_not("^1.2.3", "1.2.2");
	assert_has_not("^1.2.3", "2.0.0");
	assert_has("^0.2.3", "0.2.9");
	assert_has_not("^0.2.3", "0.3.0");
	assert_has("^0.0.3", "0.0.3");
	assert_has_not("^0.0.3", "0.0.4");
	assert_has("^0.0", "0.0.9");
	assert_has_not("^0.0", "0.1.0");
	assert_has("^0", "0.9.0");
	assert_has_not("^0", "1.0.0");
}

static void a_tilde_keeps_the_minor_number_if_there_is_one(void **state)
{
	(void)state;
	assert_has("~1.2.3", "1.2.9");
	assert_has_not("~1.2.3", "1.3.0");
	assert_has("~> 1.2", "1.2.0");
	assert_has_not("~>1.2", "1.3.0");
	assert_has("~1", "1.9.0");
	assert_has_not("~1", "2.0.0");
}

static void x_ranges_and_hyphens_stand_for_comparators(void **state)
{
	(void)state;
	assert_has("1.2.*", "1.2.7");
	assert_has_not("1.2.X", "1.3.0");
	assert_has(">1.2", "1.3.0");
	assert_has_not(">1.2", "1.2.9");
	assert_has("<=1.2", "1.2.9");
	assert_has("1.2 - 2.3", "2.3.9");
	assert_has_not("1.2 - 2.3.4", "2.3.5");
	assert_has("", "7.0.0");
	assert_has("*", "7.0.0");
	assert_has_not("<*", "0.0.0");
	assert_has("1 || >= 3 <v4", "3.5.0");
	assert_has_not("1||>=3 <4", "2.0.0");
	assert_has("=1.2.3+build", "1.2.3+other");
}

static void a_prerelease_is_in_only_where_one_of_its_release_is_named(void **state)
{
	(void)state;
	assert_has("^1.2.3-rc.1", "1.2.3-rc.2");
	assert_has_not("^1.2.3-rc.1", "1.2.3-rc.0");
	assert_has_not("^1.2.3-rc.1", "1.2.4-rc.2");
	assert_has("^1.2.3-rc.1", "1.2.4");
	assert_has_not("*", "1.0.0-rc");
	assert_has_not(">=1.0.0 <2.0.0", "2.0.0-rc");
	assert_has("<2.0.0-rc", "2.0.0-beta");
}

static void what_is_no_range_is_refused(void **state)
{
	static const char *const texts[] = {"latest", "git+https://example.com/a.git",
		"file:../a", "npm:a@^1.0.0", "a/b", "1.2.3.4", "1.x.3", "x.1", "01.2.3",
		"1.2.3-01", "> = 1.2.3", "~", "^", ">", "1.2.3 -", "1 2 || foo", "^1.2.3beta",
		"9007199254740992.0.0", "^9007199254740991.0.0", ">9007199254740991"};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_no_range(view_of(texts[i]));
	assert_no_range((struct view){"1.2.3\0", 6});
	/* A dash, though its first two bytes are those of some spaces. */
	assert_no_range(view_of("1.0.0\xe2\x80\x94 2.0.0"));
	assert_true(is_range(view_of("1.0.0\xe2\x80\x8a||\xe2\x80\x80 2.0.0")));
}

static void a_range_may_be_long_but_not_without_end(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_repeated(&text, ' ', SEMVER_RANGE_MAX - 1);
	buf_append_char(&text, '1');
	assert_true(is_range(view_of_buf(&text)));
	buf_append_char(&text, ' ');
	assert_no_range(view_of_buf(&text));
}

static void a_version_in_a_range_has_256_characters_at_most(void **state)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	buf_append_str(&text, ">=1.2.3-");
	buf_append_repeated(&text, 'a', 256 - strlen("1.2.3-"));
	assert_true(is_range(view_of_buf(&text)));
	buf_append_char(&text, 'a');
	assert_no_range(view_of_buf(&text));
}

static void a_version_beyond_the_numbers_of_npm_is_in_no_range(void **state)
{
	(void)state;
	assert_has("*", "9007199254740991.0.0");
	assert_has_not("*", "9007199254740992.0.0");
}

/* --- two of them ---------------------------------------------------------------- */

static void a_text_that_says_it_alone_is_kept_as_it_is(void **state)
{
	(void)state;
	assert_common("^1.2", "~1.2.5", NULL, "~1.2.5");
	assert_common("^1.0.0", "1.x", NULL, "1.x");
	assert_common("v1.2.3", "=1.2.3", NULL, "=1.2.3");
	assert_common("*", " 1.2 -  1.4 ", NULL, " 1.2 -  1.4 ");
	assert_common("1.x || 2.x", ">=1 <3", NULL, ">=1 <3");
	assert_common("", "", NULL, "*");
	assert_common("x", "", NULL, "*");
	assert_common("^1.2", "^1.3", "^1.1", "^1.3");
}

static void a_span_is_spelled_as_short_as_it_can_be(void **state)
{
	(void)state;
	assert_common(">=1.2.5", "<1.3", NULL, "~1.2.5");
	assert_common(">=1.2.5", "<2", NULL, "^1.2.5");
	assert_common(">=0.2.5", "<0.3.0", NULL, "^0.2.5");
	assert_common(">=0.0.5", "<0.1", NULL, "~0.0.5");
	assert_common(">=0.1.0 || <0.1", "<1 || >3", ">=0 <2", "0.x");
	assert_common(">=1.2.3", "<=1.2.3", NULL, "1.2.3");
	assert_common(">=1.2.3-rc", "<=1.2.3-rc", NULL, "1.2.3-rc");
	assert_common("^1.2.0", "<1.5.0", NULL, ">=1.2.0 <1.5.0");
	assert_common("^1 || ^2 || ^3", ">=2.5.0", NULL, ">=2.5.0 <4.0.0");
}

static void ends_are_spelled_as_the_texts_have_them(void **state)
{
	(void)state;
	assert_common(">=1.2.0", "<=1.4.7", NULL, ">=1.2.0 <=1.4.7");
	assert_common(">=1.2.0", "<1.4.8", NULL, ">=1.2.0 <1.4.8");
	assert_common(">1.2.3", "<1.5.0", NULL, ">1.2.3 <1.5.0");
	assert_common(">=1.2.4", "<1.5.0", NULL, ">=1.2.4 <1.5.0");
	assert_common(">1.2.3 <1.6.0", ">=1.2.4 <1.5.0 || 9", NULL, ">=1.2.4 <1.5.0");
}

static void spans_apart_from_each_other_stand_in_order(void **state)
{
	(void)state;
	assert_common("^22 || ^18 || ^20", ">=20", NULL, "^20.0.0 || ^22.0.0");
	assert_common("^1.2 || ^2.1", "2.x || ~1.4", NULL, "~1.4.0 || ^2.1.0");
	assert_common("<1 || >=2", ">=0.5.0 <2.3.0", NULL, ">=0.5.0 <1.0.0 || >=2.0.0 <2.3.0");
}

static void prereleases_are_kept_where_all_have_them(void **state)
{
	(void)state;
	assert_common("^1.2.3-rc.1", ">=1.2.3-rc.3", NULL, "^1.2.3-rc.3");
	assert_common("^1.2.3-rc.1", "^1.2.0", NULL, "^1.2.3");
	assert_common(
		">=1.0.0 <1.5.0-rc", ">=1.2.0 <=1.5.0-beta", NULL, ">=1.2.0 <=1.5.0-beta");
	assert_common("^1.2.3-a", "<1.2.3 >1.2.3-b <9", NULL, "<1.2.3 >1.2.3-b <9");
	assert_common(">=1.2.3-a <1.2.3", ">=1.2.3-0 <1.2.3-c", NULL, ">=1.2.3-a <1.2.3-c");
	assert_common("1.2.3-rc", "^1.2.3-beta", NULL, "1.2.3-rc");
	assert_common(">=3 || <=9.0.3-a || ~7.1.0-b", ">=3 || <=9.0.1-a || ~7.1.0-b", NULL,
		"<1.0.0 || >=1.0.0 || >=7.1.0-b");
	assert_common(
		">1.0.0 || >=1.5.0-rc", "^1.2.0 || ^1.5.0-beta", NULL, "^1.2.0 || ^1.5.0-rc");
}

/* ">X" is ">=X.0", which would be one too long. */
static void the_longest_version_stays_one(void **state)
{
	CLEANUP(buf_release) struct buf lower = BUF_INIT;
	CLEANUP(buf_release) struct buf expected = BUF_INIT;

	(void)state;
	buf_append_str(&lower, ">1.2.3-");
	buf_append_repeated(&lower, 'a', 256 - strlen("1.2.3-"));
	buf_appendf(&expected, "%s <2.0.0", lower.data);
	assert_common(lower.data, "^1.2.3-0", NULL, expected.data);
}

/* Short alone, and long when it has to be spelled in another way. */
static void a_result_that_would_be_no_range_is_none(void **state)
{
	CLEANUP(buf_release) struct buf many = BUF_INIT;

	(void)state;
	for (int i = 1; i < 1600; i += 2)
		buf_appendf(&many, "%s%d", i > 1 ? "||" : "", i);
	assert_nothing((const char *[]){many.data, ">=1.0.1"}, 2);
}

static void ranges_can_have_no_version_in_common(void **state)
{
	(void)state;
	assert_nothing((const char *[]){">=1", "^1.0.0", "^2.0.0"}, 3);
	assert_nothing((const char *[]){"1 || 2", "2 || 3", "1 || 3"}, 3);
	assert_nothing((const char *[]){"*", ">1.2.3 <1.2.4"}, 2);
	assert_nothing((const char *[]){"*", "1.2.3-rc"}, 2);
	assert_nothing((const char *[]){"^1", "latest"}, 2);
}

TESTS(cmocka_unit_test(a_caret_keeps_the_first_number_that_is_not_zero),
	cmocka_unit_test(a_tilde_keeps_the_minor_number_if_there_is_one),
	cmocka_unit_test(x_ranges_and_hyphens_stand_for_comparators),
	cmocka_unit_test(a_prerelease_is_in_only_where_one_of_its_release_is_named),
	cmocka_unit_test(what_is_no_range_is_refused),
	cmocka_unit_test(a_range_may_be_long_but_not_without_end),
	cmocka_unit_test(a_version_in_a_range_has_256_characters_at_most),
	cmocka_unit_test(a_version_beyond_the_numbers_of_npm_is_in_no_range),
	cmocka_unit_test(a_text_that_says_it_alone_is_kept_as_it_is),
	cmocka_unit_test(a_span_is_spelled_as_short_as_it_can_be),
	cmocka_unit_test(ends_are_spelled_as_the_texts_have_them),
	cmocka_unit_test(spans_apart_from_each_other_stand_in_order),
	cmocka_unit_test(prereleases_are_kept_where_all_have_them),
	cmocka_unit_test(the_longest_version_stays_one),
	cmocka_unit_test(a_result_that_would_be_no_range_is_none),
	cmocka_unit_test(ranges_can_have_no_version_in_common))
