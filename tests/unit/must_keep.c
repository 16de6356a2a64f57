#include "test.h"

#include <string.h>

#include "engine/package/intent.h"

/* All pieces, each in brackets. */
static char *pieces_of(const char *intent)
{
	CLEANUP(string_array_release) struct string_array pieces = {0};
	CLEANUP(buf_release) struct buf all = BUF_INIT;

	must_keep_read(view_of(intent), &pieces);
	for (size_t i = 0; i < pieces.count; i++)
		buf_appendf(&all, "[%s]", pieces.list[i]);
	return buf_take(&all);
}

static void assert_pieces(const char *intent, const char *expected)
{
	CLEANUP(freep) char *found = pieces_of(intent);

	assert_string_equal(found, expected);
}

static void pieces_stand_in_backticks_below_the_heading(void **state)
{
	(void)state;
	assert_pieces(
		"## Invariants\n`no`\n## Must-keep\n- the call `a()` and `b`\n## Other\n`no`\n",
		"[a()][b]");
	assert_pieces("# MUST-KEEP sections:\n`a`\n", "[a]");
	assert_pieces("## Key sections\n`a`\n", "");
	assert_pieces("", "");
}

static void more_backticks_enclose_code_with_backticks(void **state)
{
	(void)state;
	assert_pieces("## Must-keep\nthe template `` `${a}` `` stays\n", "[`${a}`]");
}

static void a_backtick_without_another_is_text(void **state)
{
	(void)state;
	assert_pieces("## Must-keep\nthe ` key\n\nand `a`\n", "[a]");
	assert_pieces("## Must-keep\n- one ` here\n- `b`\n- an end `\n", "[b]");
	assert_pieces("## Must-keep\n- ``` and `c`\n", "[c]");
	assert_pieces("## Must-keep\n``\n", "");
}

static void a_piece_over_two_lines_has_a_space(void **state)
{
	(void)state;
	assert_pieces("## Must-keep\nthe `first\nsecond` call\n", "[first second]");
}

static void lines_of_a_fenced_block_are_pieces(void **state)
{
	(void)state;
	assert_pieces("## Must-keep\nwith `a`:\n```c\n  one();\n\n# two\n```\nand `b`\n",
		"[a][one();][# two][b]");
	assert_pieces("## Must-keep\n````\n```\nx\n````\n", "[```][x]");
}

static void what_stood_on_either_side_must_be_in_the_result(void **state)
{
	CLEANUP(string_array_release) struct string_array pieces = {0};

	(void)state;
	must_keep_read(view_of("## Must-keep\n`a()` `b()` `c()`\n"), &pieces);
	assert_null(
		must_keep_lost(&pieces, view_of("a()"), view_of("b()"), view_of("b() a()")));
	assert_string_equal(
		must_keep_lost(&pieces, view_of("a()"), view_of("b()"), view_of("a()")), "b()");
	assert_string_equal(
		must_keep_lost(&pieces, view_of("a()"), view_of("b()"), view_of("b()")), "a()");
	assert_string_equal(
		must_keep_lost(&pieces, view_of("a()"), (struct view){0}, view_of("")), "a()");
	assert_null(must_keep_lost(&pieces, view_of(""), (struct view){0}, view_of("")));
}

TESTS(cmocka_unit_test(pieces_stand_in_backticks_below_the_heading),
	cmocka_unit_test(more_backticks_enclose_code_with_backticks),
	cmocka_unit_test(a_backtick_without_another_is_text),
	cmocka_unit_test(a_piece_over_two_lines_has_a_space),
	cmocka_unit_test(lines_of_a_fenced_block_are_pieces),
	cmocka_unit_test(what_stood_on_either_side_must_be_in_the_result))
