#include "test.h"

#include <string.h>

#include "engine/core/gitignore.h"
#include "engine/core/wildmatch.h"

static enum gitignore_match match_bytes(struct view text, const char *path, bool is_folder)
{
	CLEANUP(gitignore_release) struct gitignore rules = GITIGNORE_INIT;

	gitignore_parse(text, &rules);
	return gitignore_match(&rules, path, is_folder);
}

static bool excludes(const char *text, const char *path)
{
	return match_bytes(view_of(text), path, false) == GITIGNORE_EXCLUDE;
}

static bool excludes_folder(const char *text, const char *path)
{
	return match_bytes(view_of(text), path, true) == GITIGNORE_EXCLUDE;
}

/* --- lines --------------------------------------------------------------------- */

static void comments_and_empty_lines_are_no_rules(void **state)
{
	(void)state;
	assert_false(excludes("#a\n\n   \n!\n/\n//\n", "#a"));
	assert_true(excludes("\\#a\n", "#a"));
	assert_true(excludes(" #a\n", " #a"));
	assert_true(excludes("\\!a\n", "!a"));
}

static void spaces_at_the_end_count_only_behind_a_backslash(void **state)
{
	(void)state;
	assert_true(excludes("a  \n", "a"));
	assert_false(excludes("a  \n", "a  "));
	assert_true(excludes("a\\ \n", "a "));
	assert_true(excludes("a\\  \n", "a "));
	assert_true(excludes("a b\n", "a b"));
	assert_false(excludes("a\t\n", "a"));
}

static void a_byte_order_mark_and_one_cr_do_not_count(void **state)
{
	(void)state;
	assert_true(excludes("\xef\xbb\xbf"
			     "a\r\nb\r\n",
		"a"));
	assert_true(excludes("a\r\nb\r", "b"));
	assert_true(excludes("a\r\r\n", "a\r"));
	assert_false(excludes("a\n\xef\xbb\xbf"
			      "b\n",
		"b"));
}

static void a_nul_ends_a_line_early(void **state)
{
	static const char text[] = "a\0b\nc\n";

	(void)state;
	assert_int_equal(match_bytes((struct view){text, sizeof(text) - 1}, "a", false),
		GITIGNORE_EXCLUDE);
	assert_int_equal(match_bytes((struct view){text, sizeof(text) - 1}, "c", false),
		GITIGNORE_EXCLUDE);
}

/* --- which path ------------------------------------------------------------------ */

static void a_rule_without_a_slash_matches_at_any_depth(void **state)
{
	(void)state;
	assert_true(excludes("*.o\n", "a/b/c.o"));
	assert_true(excludes("a?\n", "x/ab"));
	assert_false(excludes("ab\n", "ab/c")); /* the caller checks the parent folder */
}

static void a_rule_with_a_slash_is_bound_to_its_folder(void **state)
{
	(void)state;
	assert_true(excludes("/a\n", "a"));
	assert_false(excludes("/a\n", "b/a"));
	assert_true(excludes("a/b\n", "a/b"));
	assert_false(excludes("a/b\n", "c/a/b"));
	assert_true(excludes("a/*\n", "a/b"));
	assert_false(excludes("a/*\n", "a/b/c"));
}

static void a_slash_at_the_end_is_for_folders(void **state)
{
	(void)state;
	assert_true(excludes_folder("a/\n", "x/a"));
	assert_false(excludes("a/\n", "x/a"));
}

static void two_stars_go_across_folders(void **state)
{
	(void)state;
	assert_true(excludes("**/b\n", "b"));
	assert_true(excludes("**/b\n", "a/c/b"));
	assert_true(excludes("a/**\n", "a/b/c"));
	assert_false(excludes("a/**\n", "a"));
	assert_true(excludes("a/**/b\n", "a/b"));
	assert_true(excludes("a/**/b\n", "a/x/y/b"));
	assert_false(excludes("/x**b\n", "xa/b"));
}

static void the_last_rule_that_matches_decides(void **state)
{
	(void)state;
	assert_int_equal(match_bytes(view_of("*.o\n!a.o\n"), "a.o", false), GITIGNORE_INCLUDE);
	assert_int_equal(match_bytes(view_of("!a.o\n*.o\n"), "a.o", false), GITIGNORE_EXCLUDE);
	assert_int_equal(match_bytes(view_of("*.o\n"), "a.c", false), GITIGNORE_NONE);
}

/* --- wildcards ------------------------------------------------------------------- */

static void sets_are_those_of_git(void **state)
{
	(void)state;
	assert_true(wildmatch("[a-c]x", "bx", true));
	assert_false(wildmatch("[!a-c]x", "bx", true));
	assert_true(wildmatch("[^a-c]x", "dx", true));
	assert_true(wildmatch("[]a]", "]", true));
	assert_true(wildmatch("[a-]", "-", true));
	assert_true(wildmatch("[\\]]", "]", true));
	assert_true(wildmatch("[[:alpha:][:digit:]]", "7", true));
	assert_true(wildmatch("[[:a]", "[", true) && wildmatch("[[:a]", ":", true));
	assert_false(wildmatch("[[:foo:]a]", "a", true));
	assert_false(wildmatch("[[:space:]]", "\v", true));
	assert_false(wildmatch("[/]", "/", true));
	assert_true(wildmatch("[/]", "/", false));
}

static void a_wrong_pattern_matches_nothing(void **state)
{
	(void)state;
	assert_false(wildmatch("a[", "a[", true));
	assert_false(wildmatch("[a", "[a", true));
	assert_false(wildmatch("[a-", "[a-", true));
	assert_false(wildmatch("[a-\\", "a", true));
	assert_false(wildmatch("[\\", "[\\", true));
	assert_false(wildmatch("[[:alpha:", "a", true));
	assert_false(wildmatch("a\\", "a\\", true));
}

static void bytes_that_are_not_utf8_match_one_by_one(void **state)
{
	(void)state;
	assert_true(wildmatch("\xff?", "\xff\xfe", true));
	assert_true(wildmatch("??", "\xc3\xa9", true));
	assert_true(wildmatch("[\x80-\xff]", "\x90", true));
}

/* Without a bound this would take longer than the universe has. */
static void a_pattern_made_to_be_slow_is_answered(void **state)
{
	CLEANUP(buf_release) struct buf pattern = BUF_INIT;
	CLEANUP(buf_release) struct buf folders = BUF_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100; i++) {
		buf_append_str(&folders, "**/");
		buf_append_str(&pattern, "?*");
	}
	buf_append_str(&folders, "x");
	buf_append_str(&pattern, "b");
	for (int i = 0; i < 1000; i++)
		buf_append_str(&text, "a/");
	assert_false(wildmatch(folders.data, text.data, true));
	assert_false(wildmatch(pattern.data, text.data, false));
	assert_false(wildmatch("**/*a*a*a*a*a*a*a*a*a*b/**/c", text.data, true));
}

TESTS(cmocka_unit_test(comments_and_empty_lines_are_no_rules),
	cmocka_unit_test(spaces_at_the_end_count_only_behind_a_backslash),
	cmocka_unit_test(a_byte_order_mark_and_one_cr_do_not_count),
	cmocka_unit_test(a_nul_ends_a_line_early),
	cmocka_unit_test(a_rule_without_a_slash_matches_at_any_depth),
	cmocka_unit_test(a_rule_with_a_slash_is_bound_to_its_folder),
	cmocka_unit_test(a_slash_at_the_end_is_for_folders),
	cmocka_unit_test(two_stars_go_across_folders),
	cmocka_unit_test(the_last_rule_that_matches_decides),
	cmocka_unit_test(sets_are_those_of_git),
	cmocka_unit_test(a_wrong_pattern_matches_nothing),
	cmocka_unit_test(bytes_that_are_not_utf8_match_one_by_one),
	cmocka_unit_test(a_pattern_made_to_be_slow_is_answered))
