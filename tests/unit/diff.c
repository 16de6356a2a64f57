#include "test.h"

#include <string.h>

#include "engine/text/diff.h"

static char *changes_of(struct view old, struct view new)
{
	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	assert_int_equal(diff_lines(old, new, &changes, &err), 0);
	for (size_t i = 0; i < changes.count; i++)
		buf_appendf(&out, "%s%zu,%zu %zu,%zu", i ? "; " : "", changes.list[i].old_start,
			changes.list[i].old_count, changes.list[i].new_start,
			changes.list[i].new_count);
	return buf_take(&out);
}

static void assert_changes(const char *old, const char *new, const char *expected)
{
	CLEANUP(freep) char *found = changes_of(view_of(old), view_of(new));

	assert_string_equal(found, expected);
}

static void lines_are_added_or_removed_at_one_place(void **state)
{
	(void)state;
	assert_changes("", "", "");
	assert_changes("a\nb", "a\nb", "");
	assert_changes("", "a\nb\n", "0,0 0,2");
	assert_changes("a\nb", "", "0,2 0,0");
	assert_changes("a\nb\n", "a\nx\ny\nb\n", "1,0 1,2");
	assert_changes("a\nx\ny\nb\n", "a\nb\n", "1,2 1,0");
	assert_changes("a\n", "a\nb", "1,0 1,1");
	assert_changes("b\n", "a\nb\n", "0,0 0,1");
	assert_changes("\n", "\na\n", "1,0 1,1");
	assert_changes("a\n", "b\n", "0,1 0,1");
}

static void changes_apart_from_each_other_are_found_in_order(void **state)
{
	(void)state;
	assert_changes(
		"a\nb\nc\nd\ne\n", "a\nB\nc\nd\nx\ny\ne\nf\n", "1,1 1,1; 4,0 4,2; 5,0 7,1");
	assert_changes("a\nb\nc\n", "b\nd\n", "0,1 0,0; 2,1 1,1");
}

static void a_last_line_without_newline_is_another_line(void **state)
{
	(void)state;
	assert_changes("a\nb", "a\nb\n", "1,1 1,1");
	assert_changes("a\nb\n", "a\nb", "1,1 1,1");
	assert_changes("a", "b", "0,1 0,1");
	assert_changes("b", "a\nb", "0,0 0,1");
}

static void any_bytes_are_compared(void **state)
{
	const char old[] = "a\0b\n\xff\r\n", new[] = "a\0c\n\xff\n";
	CLEANUP(freep)
	char *found = changes_of(
		(struct view){old, sizeof(old) - 1}, (struct view){new, sizeof(new) - 1});

	(void)state;
	assert_string_equal(found, "0,2 0,2");
}

static void an_added_function_is_shown_as_a_whole(void **state)
{
	(void)state;
	/* It could begin with the brace of the one before, or with the empty line. */
	assert_changes("int a(void)\n{\n\treturn 1;\n}\n\nint c(void)\n{\n\treturn 3;\n}\n",
		"int a(void)\n{\n\treturn 1;\n}\n\nint b(void)\n{\n\treturn 1;\n}\n\n"
		"int c(void)\n{\n\treturn 3;\n}\n",
		"5,0 5,5");
}

/* Quadratic work would take minutes here, beyond the time that a test has. */
static void large_texts_with_nothing_in_common_are_one_change(void **state)
{
	CLEANUP(buf_release) struct buf old = BUF_INIT;
	CLEANUP(buf_release) struct buf new = BUF_INIT;
	CLEANUP(freep) char *found = NULL;

	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		buf_appendf(&old, "old %u\n", i);
		buf_appendf(&new, "new %u\n", i);
	}
	found = changes_of(view_of_buf(&old), view_of_buf(&new));
	assert_string_equal(found, "0,200000 0,200000");
}

static void large_texts_in_reverse_order_are_compared(void **state)
{
	CLEANUP(buf_release) struct buf old = BUF_INIT;
	CLEANUP(buf_release) struct buf new = BUF_INIT;
	CLEANUP(freep) char *found = NULL;

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		buf_appendf(&old, "%u\n", i);
		buf_appendf(&new, "%u\n", 99999 - i);
	}
	found = changes_of(view_of_buf(&old), view_of_buf(&new));
	assert_true(strlen(found) > 0);
}

TESTS(cmocka_unit_test(lines_are_added_or_removed_at_one_place),
	cmocka_unit_test(changes_apart_from_each_other_are_found_in_order),
	cmocka_unit_test(a_last_line_without_newline_is_another_line),
	cmocka_unit_test(any_bytes_are_compared),
	cmocka_unit_test(an_added_function_is_shown_as_a_whole),
	cmocka_unit_test(large_texts_with_nothing_in_common_are_one_change),
	cmocka_unit_test(large_texts_in_reverse_order_are_compared))
