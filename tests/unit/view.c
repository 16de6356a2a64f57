#include "test.h"

#include "base/view.h"

static void views_are_equal_by_content(void **state)
{
	struct view nothing = {NULL, 0};

	(void)state;
	assert_true(view_equal(view_of("abc"), view_slice(view_of("xabcx"), 1, 4)));
	assert_false(view_equal(view_of("abc"), view_of("abd")));
	assert_false(view_equal(view_of("abc"), view_of("ab")));
	assert_true(view_equal(nothing, view_of("")));
	assert_true(view_equal_str(nothing, ""));
}

static void beginnings_and_ends_are_found(void **state)
{
	(void)state;
	assert_true(view_starts_with(view_of("abc"), "ab"));
	assert_true(view_starts_with(view_of("abc"), ""));
	assert_false(view_starts_with(view_of("a"), "ab"));
	assert_true(view_ends_with(view_of("abc"), "bc"));
	assert_false(view_ends_with(view_of("c"), "bc"));
}

static void the_order_is_by_bytes_and_then_by_length(void **state)
{
	(void)state;
	assert_true(view_compare(view_of("a"), view_of("b")) < 0);
	assert_true(view_compare(view_of("a"), view_of("\xff")) < 0);
	assert_true(view_compare(view_of("a"), view_of("ab")) < 0);
	assert_true(view_compare(view_of(""), view_of("a")) < 0);
	assert_int_equal(view_compare(view_of("a"), view_of("a")), 0);
	assert_true(view_compare((struct view){"a\0b", 3}, (struct view){"a\0a", 3}) > 0);
}

static void trimming_takes_white_space_from_both_ends(void **state)
{
	(void)state;
	assert_true(view_equal_str(view_trim(view_of(" \t\r\na b\v\f ")), "a b"));
	assert_true(view_equal_str(view_trim(view_of(" \n ")), ""));
	assert_true(view_equal_str(view_trim(view_of("")), ""));
}

static void pieces_are_split_off_one_by_one(void **state)
{
	struct view rest = view_of("a\n\nb\n");
	struct view piece;

	(void)state;
	assert_true(view_next(&rest, '\n', &piece));
	assert_true(view_equal_str(piece, "a"));
	assert_true(view_next(&rest, '\n', &piece));
	assert_true(view_equal_str(piece, ""));
	assert_true(view_next(&rest, '\n', &piece));
	assert_true(view_equal_str(piece, "b"));
	assert_false(view_next(&rest, '\n', &piece));
}

static void the_last_piece_needs_no_separator(void **state)
{
	struct view rest = view_of("a b");
	struct view piece;

	(void)state;
	assert_true(view_next(&rest, ' ', &piece));
	assert_true(view_next(&rest, ' ', &piece));
	assert_true(view_equal_str(piece, "b"));
	assert_false(view_next(&rest, ' ', &piece));
}

static void a_view_of_a_buffer_has_its_bytes(void **state)
{
	CLEANUP(buf_release) struct buf b = BUF_INIT;

	(void)state;
	buf_append(&b, "a\0b", 3);
	assert_true(view_equal(view_of_buf(&b), (struct view){"a\0b", 3}));
}

TESTS(cmocka_unit_test(views_are_equal_by_content),
	cmocka_unit_test(beginnings_and_ends_are_found),
	cmocka_unit_test(the_order_is_by_bytes_and_then_by_length),
	cmocka_unit_test(trimming_takes_white_space_from_both_ends),
	cmocka_unit_test(pieces_are_split_off_one_by_one),
	cmocka_unit_test(the_last_piece_needs_no_separator),
	cmocka_unit_test(a_view_of_a_buffer_has_its_bytes))
