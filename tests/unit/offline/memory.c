/*
 * Notes in a file that other people edit, too.
 */
#include "agent/offline/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../test.h"
#include "fs/sys.h"
#include "tempdir.h"

static void insert(const char *text, const char *note, const char *wanted)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	memory_insert_note(view_of(text), view_of(note), &out);
	assert_string_equal(out.data, wanted);
}

static void a_new_note_is_put_behind_the_others(void **state)
{
	(void)state;
	insert("", "a", "## Notes\n\n- a\n");
	insert("## Notes\n\n- a\n", "b", "## Notes\n\n- a\n- b\n");
	insert("## Notes\n", "a", "## Notes\n\n- a\n");
	insert("## Notes\n\n", "a", "## Notes\n\n- a\n");
	insert("# notes\n* a\n\nafter\n", "b", "# notes\n* a\n- b\n\nafter\n");
	insert("## Notes\n\n- a\n  more\n\n## Other\n- x\n", "b",
		"## Notes\n\n- a\n  more\n- b\n\n## Other\n- x\n");
	insert("## Notes\n\ntext\n", "a", "## Notes\n\n- a\n\ntext\n");
}

static void the_end_of_a_file_may_be_anything(void **state)
{
	(void)state;
	insert("Be brief.", "a", "Be brief.\n\n## Notes\n\n- a\n");
	insert("## Notes", "a", "## Notes\n\n- a\n");
	insert("## Notes\n\n- a", "b", "## Notes\n\n- a\n- b\n");
	insert("Be brief.\r\n", "a", "Be brief.\r\n\r\n## Notes\r\n\r\n- a\r\n");
}

static void a_fence_hides_what_looks_like_notes(void **state)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	const char *text = "```\n## Notes\n- no\n```\n## Notes\n- yes\n";

	(void)state;
	memory_parse_notes(view_of(text), &notes);
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.list[0], "yes");
}

static void a_note_of_several_lines_stays_one(void **state)
{
	CLEANUP(string_array_release) struct string_array notes = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(buf_release) struct buf less = BUF_INIT;

	(void)state;
	memory_insert_note(view_of("## Notes\n- x\n"), view_of("one\n\n# two\n- three"), &text);
	memory_parse_notes(view_of_buf(&text), &notes);
	assert_int_equal(notes.count, 2);
	assert_string_equal(notes.list[1], "one\n# two\n- three");
	assert_true(memory_delete_note(view_of_buf(&text), notes.list[1], &less));
	assert_string_equal(less.data, "## Notes\n- x\n");
}

static void only_the_note_that_is_meant_goes(void **state)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;
	const char *text = "- a\n## Notes\n- a\n- b\n  c\n- a\n## Other\n- a\n";

	(void)state;
	assert_true(memory_delete_note(view_of(text), "a", &out));
	assert_string_equal(out.data, "- a\n## Notes\n- b\n  c\n- a\n## Other\n- a\n");
	buf_clear(&out);
	assert_false(memory_delete_note(view_of(text), "b", &out));
	assert_string_equal(out.data, text);
	buf_clear(&out);
	assert_true(memory_delete_note(view_of(text), NULL, &out));
	assert_string_equal(out.data, "- a\n## Notes\n## Other\n- a\n");
}

static void zone(const char *text, const char *name, const char *wanted)
{
	CLEANUP(buf_release) struct buf out = BUF_INIT;

	memory_replace_zone(view_of(text), name, &out);
	assert_string_equal(out.data, wanted);
}

static void the_zone_is_one_line(void **state)
{
	(void)state;
	zone("", "UTC", "Time zone: UTC\n");
	zone("Be brief.\n", "UTC", "Time zone: UTC\n\nBe brief.\n");
	zone("a\n- time zone: Asia/Tokyo \nb", "UTC", "a\n- time zone: UTC \nb");
	zone("## Notes\n\n- Time zone: that of Ann\n", "UTC",
		"Time zone: UTC\n\n## Notes\n\n- Time zone: that of Ann\n");
	zone("## Notes\n\n- a\n\nTime zone: Asia/Tokyo\n", "UTC",
		"## Notes\n\n- a\n\nTime zone: UTC\n");
	zone("Time zone: Asia/Tokyo", "UTC", "Time zone: UTC");
	zone("Time zone: Asia/Tokyo\r\nx\r\n", "UTC", "Time zone: UTC\r\nx\r\n");
}

static void the_file_keeps_its_mode_and_is_never_a_link(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *dir = *state;
	struct stat st;
	bool is_new;

	tempdir_put(dir->fd, MEMORY_FILE, "Be brief.\n");
	assert_int_equal(fchmodat(dir->fd, MEMORY_FILE, 0600, 0), 0);
	assert_int_equal(memory_add_note(dir->fd, view_of("a"), &is_new, &err), 0);
	assert_true(is_new);
	assert_int_equal(fstatat(dir->fd, MEMORY_FILE, &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(memory_add_note(dir->fd, view_of(" a "), &is_new, &err), 0);
	assert_false(is_new);

	assert_int_equal(unlinkat(dir->fd, MEMORY_FILE, 0), 0);
	tempdir_put(dir->fd, "secret", "x\n");
	tempdir_symlink("secret", dir->fd, MEMORY_FILE);
	assert_int_equal(memory_add_note(dir->fd, view_of("b"), &is_new, &err), -1);
}

static void a_note_has_a_maximum(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct tempdir *dir = *state;
	bool is_new;

	buf_append_repeated(&text, 'x', MEMORY_MAX_NOTE + 1);
	assert_int_equal(memory_add_note(dir->fd, view_of_buf(&text), &is_new, &err), -1);
	assert_false(tempdir_exists(dir->fd, MEMORY_FILE));
}

TESTS(cmocka_unit_test(a_new_note_is_put_behind_the_others),
	cmocka_unit_test(the_end_of_a_file_may_be_anything),
	cmocka_unit_test(a_fence_hides_what_looks_like_notes),
	cmocka_unit_test(a_note_of_several_lines_stays_one),
	cmocka_unit_test(only_the_note_that_is_meant_goes),
	cmocka_unit_test(the_zone_is_one_line),
	IN_TEMPDIR(the_file_keeps_its_mode_and_is_never_a_link),
	IN_TEMPDIR(a_note_has_a_maximum))
