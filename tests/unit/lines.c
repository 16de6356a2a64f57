#include "test.h"

#include "engine/text/lines.h"

static void a_text_that_only_adds_lines_keeps_all(void **state)
{
	(void)state;
	assert_true(lines_keep_all(view_of("a\nb\n"), view_of("x\na\ny\nb\nz\n")));
	assert_true(lines_keep_all(view_of(""), view_of("a\n")));
	assert_true(lines_keep_all(view_of("a\na\n"), view_of("a\na\n")));
}

static void a_text_that_lacks_or_reorders_lines_does_not(void **state)
{
	(void)state;
	assert_false(lines_keep_all(view_of("a\nb\n"), view_of("a\n")));
	assert_false(lines_keep_all(view_of("a\nb\n"), view_of("b\na\n")));
	assert_false(lines_keep_all(view_of("a\na\n"), view_of("a\n")));
}

static void missing_lines_are_named_in_their_order(void **state)
{
	struct view lines[2];

	(void)state;
	assert_int_equal(lines_missing(view_of("c\na\nb\na\n"), view_of("a\n"), lines, 2), 3);
	assert_true(view_equal_str(lines[0], "c"));
	assert_true(view_equal_str(lines[1], "b"));
}

static void markers_are_counted_and_rulers_are_not(void **state)
{
	(void)state;
	assert_int_equal(
		lines_count_markers(view_of("<<<<<<< a\nx\n||||||| b\n=======\n>>>>>>> c\n")),
		3);
	assert_int_equal(
		lines_count_markers(view_of("=======\n<<<<<< x\n <<<<<<< x\n<<<<<<<x\n")), 0);
	assert_int_equal(
		lines_count_markers(view_of(">>>>>>>>>> long\n<<<<<<<\r\n>>>>>>>")), 3);
}

TESTS(cmocka_unit_test(a_text_that_only_adds_lines_keeps_all),
	cmocka_unit_test(a_text_that_lacks_or_reorders_lines_does_not),
	cmocka_unit_test(missing_lines_are_named_in_their_order),
	cmocka_unit_test(markers_are_counted_and_rulers_are_not))
