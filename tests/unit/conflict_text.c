#include "test.h"

#include "engine/text/conflict_text.h"

/* The text after the hunk with this number was replaced by one of its sides. */
static char *take(const char *text, size_t number, enum conflict_side side)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const struct conflict_hunk *hunk;

	conflict_text_parse(view_of(text), "x", &marked);
	assert_true(number < marked.count);
	hunk = &marked.hunks[number];
	assert_true(hunk->clear);
	conflict_text_replace(view_of(text), hunk,
		side == CONFLICT_OURS   ? hunk->ours
		: side == CONFLICT_BASE ? hunk->base
					: hunk->theirs,
		&out);
	return buf_take(&out);
}

static void assert_taken(
	const char *text, size_t number, enum conflict_side side, const char *expected)
{
	CLEANUP(freep) char *taken = take(text, number, side);

	assert_string_equal(taken, expected);
}

#define ONE   "<<<<<<< yours\na\n||||||| core 1.0.0\nb\n=======\nc\n>>>>>>> x 1.0.0\n"
#define TWO   "<<<<<<< yours\n||||||| core 1.0.0\nB\n=======\nC\nC\n>>>>>>> x 1.0.0\n"
#define OTHER "<<<<<<< HEAD\na\n=======\nc\n>>>>>>> branch\n"

static void each_side_can_take_the_place_of_a_hunk(void **state)
{
	(void)state;
	assert_taken("top\n" ONE "end\n", 0, CONFLICT_OURS, "top\na\nend\n");
	assert_taken("top\n" ONE "end\n", 0, CONFLICT_BASE, "top\nb\nend\n");
	assert_taken("top\n" ONE "end\n", 0, CONFLICT_THEIRS, "top\nc\nend\n");
}

static void other_hunks_stay_as_they_are(void **state)
{
	(void)state;
	assert_taken(ONE TWO "end\n", 1, CONFLICT_THEIRS, ONE "C\nC\nend\n");
	assert_taken(ONE "-\n" TWO, 0, CONFLICT_OURS, "a\n-\n" TWO);
	assert_taken(ONE TWO, 1, CONFLICT_OURS, ONE);
}

static void markers_of_a_dos_file_are_known(void **state)
{
	(void)state;
	assert_taken("1\r\n<<<<<<< yours\r\na\r\n||||||| core\r\nb\r\n=======\r\nc\r\n"
		     ">>>>>>> x 1.0.0\r\n2\r\n",
		0, CONFLICT_THEIRS, "1\r\nc\r\n2\r\n");
}

static void a_last_marker_needs_no_newline(void **state)
{
	(void)state;
	assert_taken("<<<<<<< yours\na\n||||||| b\nb\n=======\nc\n>>>>>>> x", 0, CONFLICT_OURS,
		"a\n");
	assert_taken(ONE "end", 0, CONFLICT_THEIRS, "c\nend");
}

static void a_hunk_without_a_base_part_is_known(void **state)
{
	(void)state;
	assert_taken("<<<<<<< yours\na\n=======\nc\n>>>>>>> x 1\n", 0, CONFLICT_OURS, "a\n");
	assert_taken("<<<<<<< yours\na\n=======\nc\n>>>>>>> x 1\n", 0, CONFLICT_BASE, "");
	assert_taken("<<<<<<< yours\na\n=======\nc\n>>>>>>> x 1\n", 0, CONFLICT_THEIRS, "c\n");
}

static void a_ruler_in_your_side_is_content(void **state)
{
	(void)state;
	assert_taken("<<<<<<< yours\nTitle\n=======\n||||||| b\nb\n=======\nc\n>>>>>>> x 1\n",
		0, CONFLICT_OURS, "Title\n=======\n");
	assert_taken("<<<<<<< yours\nTitle\n=======\n||||||| b\nb\n=======\nc\n>>>>>>> x 1\n",
		0, CONFLICT_THEIRS, "c\n");
}

static void markers_of_others_are_content(void **state)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;

	(void)state;
	conflict_text_parse(view_of(OTHER ONE OTHER), "x", &marked);
	assert_int_equal(marked.count, 1);
	assert_int_equal(marked.stray, 4);
	assert_taken(OTHER ONE OTHER, 0, CONFLICT_OURS, OTHER "a\n" OTHER);
}

static void assert_unclear(const char *text)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	conflict_text_parse(view_of(text), "x", &marked);
	assert_int_equal(marked.count, 1);
	assert_false(marked.hunks[0].clear);
	assert_int_equal(marked.hunks[0].ours.len, 0);
	assert_false(conflict_text_side(view_of(text), &marked, CONFLICT_OURS, &out));
	assert_int_equal(out.len, 0);
}

static void look_alikes_in_a_hunk_make_it_unclear(void **state)
{
	(void)state;
	assert_unclear("<<<<<<< yours\n" OTHER "||||||| b\nb\n=======\nc\n>>>>>>> x 1\n");
	assert_unclear("<<<<<<< yours\n<<<<<<< yours\na\n||||||| b\n=======\nc\n>>>>>>> x\n");
	assert_unclear("<<<<<<< yours\na\n||||||| b\nT\n=======\n=======\nc\n>>>>>>> x\n");
	assert_unclear("<<<<<<< yours\n||||||| a\n||||||| b\n=======\nc\n>>>>>>> x\n");
	assert_unclear("<<<<<<< yours\na\nc\n>>>>>>> x\n");
}

static void markers_of_other_lengths_are_content(void **state)
{
	(void)state;
	assert_taken("<<<<<<< yours\n<<<<<<<< a\n>>>>>>\n||||||| b\n=======\nc\n>>>>>>> x\n", 0,
		CONFLICT_OURS, "<<<<<<<< a\n>>>>>>\n");
}

static void what_has_no_end_is_no_hunk(void **state)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;

	(void)state;
	conflict_text_parse(
		view_of(ONE "<<<<<<< yours\na\n=======\nb\n>>>>>>> xy 1\n"), "x", &marked);
	assert_int_equal(marked.count, 1);
	assert_int_equal(marked.stray, 2);
}

static void one_side_of_all_hunks_is_a_whole_file(void **state)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view text = view_of("1\n" ONE "2\n" TWO "3");

	(void)state;
	conflict_text_parse(text, "x", &marked);
	assert_true(conflict_text_side(text, &marked, CONFLICT_BASE, &out));
	assert_string_equal(out.data, "1\nb\n2\nB\n3");
}

static void labels_are_told(void **state)
{
	CLEANUP(conflict_text_release) struct conflict_text marked = CONFLICT_TEXT_INIT;

	(void)state;
	conflict_text_parse(view_of(ONE), "x", &marked);
	assert_true(view_equal_str(marked.hunks[0].base_label, "core 1.0.0"));
	assert_true(view_equal_str(marked.hunks[0].theirs_label, "x 1.0.0"));
}

TESTS(cmocka_unit_test(each_side_can_take_the_place_of_a_hunk),
	cmocka_unit_test(other_hunks_stay_as_they_are),
	cmocka_unit_test(markers_of_a_dos_file_are_known),
	cmocka_unit_test(a_last_marker_needs_no_newline),
	cmocka_unit_test(a_hunk_without_a_base_part_is_known),
	cmocka_unit_test(a_ruler_in_your_side_is_content),
	cmocka_unit_test(markers_of_others_are_content),
	cmocka_unit_test(look_alikes_in_a_hunk_make_it_unclear),
	cmocka_unit_test(markers_of_other_lengths_are_content),
	cmocka_unit_test(what_has_no_end_is_no_hunk),
	cmocka_unit_test(one_side_of_all_hunks_is_a_whole_file),
	cmocka_unit_test(labels_are_told))
