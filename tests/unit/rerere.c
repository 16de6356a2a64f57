#include "test.h"

#include <string.h>

#include "base/hash.h"
#include "engine/text/rerere_hunk.h"

#define HUNK(one, two) "<<<<<<< ours\n" one "=======\n" two ">>>>>>> theirs\n"

static void parse(const char *text, struct rerere_text *ret_text)
{
	assert_true(rerere_parse(view_of(text), 0, ret_text));
}

static void assert_id(const char *text, const char *expected)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	struct rerere_id id;

	parse(text, &parsed);
	id = rerere_id(&parsed, RERERE_SHA1);
	assert_string_equal(id.hex, expected);
}

static void sides_are_ordered_and_labels_dropped(void **state)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;

	(void)state;
	parse("a\n" HUNK("z\n", "b\n") "c", &parsed);
	assert_int_equal(parsed.count, 1);
	assert_true(parsed.hunks[0].swapped);
	assert_string_equal(parsed.normalized.data, "a\n<<<<<<<\nb\n=======\nz\n>>>>>>>\nc");
}

/* printf 'b\n\0z\n\0' | sha1sum */
static void the_id_is_a_sha1_of_the_sides(void **state)
{
	(void)state;
	assert_id(HUNK("z\n", "b\n"), "5f16029eab9a8e586dba1ee876783004f332a0e5");
	assert_id("x\n" HUNK("b\n", "z\n") "y\n", "5f16029eab9a8e586dba1ee876783004f332a0e5");
	assert_id("<<<<<<< a\nb\n||||||| base\nq\n=======\nz\n>>>>>>> c\n",
		"5f16029eab9a8e586dba1ee876783004f332a0e5");
}

static void a_nested_conflict_is_part_of_its_side(void **state)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;

	(void)state;
	parse(HUNK(HUNK("2\n", "1\n"), "x\n"), &parsed);
	assert_int_equal(parsed.count, 1);
	assert_string_equal(parsed.hunks[0].one.data, "<<<<<<<\n1\n=======\n2\n>>>>>>>\n");
}

static void malformed_markers_are_not_usable(void **state)
{
	static const char *const texts[] = {
		"<<<<<<< a\n",
		"<<<<<<< a\n=======\n",
		"<<<<<<< a\n>>>>>>> b\n",
		"<<<<<<< a\n=======\n=======\n>>>>>>> b\n",
		"<<<<<<< a\n=======\n||||||| c\n>>>>>>> b\n",
		"<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n",
	};
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		assert_false(rerere_parse(view_of(texts[i]), 0, &parsed));
	assert_false(rerere_parse((struct view){"a\0b", 3}, 0, &parsed));
	assert_true(rerere_parse(view_of("<<<<<<<\n=======\n>>>>>>> a\n"), 0, &parsed));
	assert_int_equal(parsed.count, 0);
}

static void nesting_has_a_limit(void **state)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_append_str(&text, "<<<<<<< a\n");
	for (int i = 0; i < 100000; i++)
		buf_append_str(&text, "=======\n>>>>>>> b\n");
	assert_false(rerere_parse(view_of_buf(&text), 0, &parsed));
}

static void a_resolution_is_replayed_beside_other_changes(void **state)
{
	CLEANUP(rerere_text_release) struct rerere_text now = RERERE_TEXT_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct view pre = view_of("a\nb\n<<<<<<<\n1\n=======\n2\n>>>>>>>\nc\n");
	bool clean;

	(void)state;
	parse("new\na\nb\n" HUNK("2\n", "1\n") "c\n", &now);
	assert_int_equal(
		rerere_replay(&now, pre, view_of("a\nb\n1\n2\nc\n"), &content, &clean, &err),
		0);
	assert_true(clean);
	assert_string_equal(content.data, "new\na\nb\n1\n2\nc\n");
	/* An image that resolves nothing is not taken. */
	assert_int_equal(rerere_replay(&now, pre, pre, &content, &clean, &err), 0);
	assert_false(clean);
}

/* --- hunks ---------------------------------------------------------------------- */

/* What is learned, joined by "|"; "?" where nothing is. */
static char *learned(const char *conflict, const char *resolved)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	struct view resolutions[8];

	parse(conflict, &parsed);
	assert_true(parsed.count <= ARRAY_SIZE(resolutions));
	rerere_hunk_learn(&parsed, view_of(resolved), resolutions);
	for (size_t i = 0; i < parsed.count; i++) {
		if (i)
			buf_append_char(&out, '|');
		if (resolutions[i].data)
			buf_append(&out, resolutions[i].data, resolutions[i].len);
		else
			buf_append_char(&out, '?');
	}
	return buf_take(&out);
}

static void assert_learned(const char *conflict, const char *resolved, const char *expected)
{
	CLEANUP(freep) char *found = learned(conflict, resolved);

	assert_string_equal(found, expected);
}

#define TWO "a\n" HUNK("1\n", "2\n") "b\n" HUNK("3\n", "4\n") "c\n"

static void each_hunk_has_its_resolution(void **state)
{
	(void)state;
	assert_learned(TWO, "a\n1\n2\nb\n\nc\n", "1\n2\n|\n");
	assert_learned(TWO, "a\nb\n4\nc\n", "|4\n");
	assert_learned("a\n" HUNK("1\n", "2\n"), "a\n1", "1");
}

static void an_edit_elsewhere_teaches_nothing(void **state)
{
	(void)state;
	assert_learned(TWO, "new\na\n1\nb\n3\nc\n", "?|?");
	assert_learned(TWO, "a\n1\nB\n3\nc\n", "?|?");
	assert_learned(TWO, "a\n1\nb\n3\n", "?|?");
}

static void a_boundary_that_could_be_elsewhere_teaches_nothing(void **state)
{
	(void)state;
	assert_learned(TWO, "a\n1\nb\nb\n3\nc\n", "?|?");
	assert_learned(HUNK("1\n", "2\n") HUNK("3\n", "4\n"), "1\n3\n", "?|?");
	/* The third one is certain all the same. */
	assert_learned(TWO HUNK("5\n", "6\n"), "a\n1\nb\nb\n3\nc\n5\n", "?|?|5\n");
}

static void lines_moved_between_hunks_teach_nothing(void **state)
{
	(void)state;
	assert_learned(TWO, "a\nb\n1\n3\nc\n", "?|?");
	assert_learned(TWO, "a\nb\n\t1\n3\nc\n", "?|?");
	assert_learned(TWO HUNK("5\n", "6\n"), "a\nb\n1\n3\nc\n5\n", "?|?|5\n");
}

static void equal_hunks_resolved_differently_teach_nothing(void **state)
{
	(void)state;
	assert_learned(
		"a\n" HUNK("1\n", "2\n") "b\n" HUNK("2\n", "1\n"), "a\n1\nb\n2\n", "?|?");
	assert_learned(
		"a\n" HUNK("1\n", "2\n") "b\n" HUNK("2\n", "1\n"), "a\n1\nb\n1\n", "1\n|1\n");
}

static void a_marker_is_no_resolution(void **state)
{
	(void)state;
	assert_learned("a\n" HUNK("1\n", "2\n"), "a\n1\n=======\n2\n", "?");
	assert_learned("a\n" HUNK("1\n", "2\n"), "a\n1\n>>>>>>> theirs\n", "?");
}

static struct hash key_of(const char *text, size_t number, const char *scope)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	struct hash key = {0};

	parse(text, &parsed);
	assert_true(rerere_hunk_key(&parsed, number, view_of(scope), &key));
	return key;
}

static void a_key_survives_another_conflict_and_swapped_sides(void **state)
{
	struct hash key = key_of("v\nw\nx\na\n" HUNK("1\n", "2\n") "b\ny\nz\n", 0, "f");
	struct hash other = key_of(
		HUNK("p\n", "q\n") "w\nx\na\n" HUNK("2\n", "1\n") "b\ny\nz\n!\n", 1, "f");

	(void)state;
	assert_true(hash_equal(&key, &other));
}

static void a_key_changes_with_path_sides_and_neighbours(void **state)
{
	static const char *const others[] = {
		"a\n" HUNK("1\n", "3\n") "b\n",
		"A\n" HUNK("1\n", "2\n") "b\n",
		"a\n" HUNK("1\n", "2\n") "B\n",
		HUNK("1\n", "2\n") "b\n",
		"a\n" HUNK("1\n", "2\n"),
		"a\n" HUNK("1\n2\n", "") "b\n",
	};
	struct hash key = key_of("a\n" HUNK("1\n", "2\n") "b\n", 0, "f");
	struct hash other = key_of("a\n" HUNK("1\n", "2\n") "b\n", 0, "g");

	(void)state;
	assert_false(hash_equal(&key, &other));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		other = key_of(others[i], 0, "f");
		assert_false(hash_equal(&key, &other));
	}
}

static void an_unknown_hunk_stays_as_it_was(void **state)
{
	CLEANUP(rerere_text_release) struct rerere_text parsed = RERERE_TEXT_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct view resolutions[2] = {{NULL, 0}, view_of("34\n")};
	size_t left;

	(void)state;
	parse(TWO, &parsed);
	rerere_hunk_resolve(&parsed, view_of(TWO), resolutions, &content, &left);
	assert_int_equal(left, 1);
	assert_string_equal(content.data, "a\n" HUNK("1\n", "2\n") "b\n34\nc\n");
}

TESTS(cmocka_unit_test(sides_are_ordered_and_labels_dropped),
	cmocka_unit_test(the_id_is_a_sha1_of_the_sides),
	cmocka_unit_test(a_nested_conflict_is_part_of_its_side),
	cmocka_unit_test(malformed_markers_are_not_usable),
	cmocka_unit_test(nesting_has_a_limit),
	cmocka_unit_test(a_resolution_is_replayed_beside_other_changes),
	cmocka_unit_test(each_hunk_has_its_resolution),
	cmocka_unit_test(an_edit_elsewhere_teaches_nothing),
	cmocka_unit_test(a_boundary_that_could_be_elsewhere_teaches_nothing),
	cmocka_unit_test(lines_moved_between_hunks_teach_nothing),
	cmocka_unit_test(equal_hunks_resolved_differently_teach_nothing),
	cmocka_unit_test(a_marker_is_no_resolution),
	cmocka_unit_test(a_key_survives_another_conflict_and_swapped_sides),
	cmocka_unit_test(a_key_changes_with_path_sides_and_neighbours),
	cmocka_unit_test(an_unknown_hunk_stays_as_it_was))
