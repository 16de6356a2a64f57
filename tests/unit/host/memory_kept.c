#include "../test.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "compose/global_memory.h"
#include "compose/transcripts.h"
#include "tempdir.h"

/* --- the global memory ------------------------------------------------------- */

static bool add(int root, const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	bool added = false;

	if (global_memory_add(root, view_of(text), &added, &err) < 0)
		fail_msg("%s", err.message);
	return added;
}

static void assert_memory(int root, const char *wanted)
{
	CLEANUP(freep) char *text = tempdir_get(root, "data/global.md");

	assert_non_null(text);
	assert_string_equal(text, wanted);
}

static void entries_are_added_at_the_end(void **state)
{
	struct tempdir *temp = *state;

	assert_true(add(temp->fd, "my name is Ann"));
	assert_true(add(temp->fd, " two\nlines \n"));
	assert_memory(temp->fd, "my name is Ann\ntwo\nlines\n");
	tempdir_put(temp->fd, "data/global.md", "by hand");
	assert_true(add(temp->fd, "x"));
	assert_memory(temp->fd, "by hand\nx\n");
}

static void what_stands_there_is_not_added_again(void **state)
{
	struct tempdir *temp = *state;

	assert_true(add(temp->fd, "my name is Ann"));
	assert_false(add(temp->fd, "my name is Ann"));
	assert_true(add(temp->fd, "name is"));
	assert_memory(temp->fd, "my name is Ann\nname is\n");
}

static void it_has_a_maximum_and_an_entry_has_words(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(error_release) struct error other = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool added;

	buf_append_repeated(&text, 'x', GLOBAL_MEMORY_MAX - 1);
	assert_true(add(temp->fd, text.data));
	assert_int_equal(global_memory_add(temp->fd, view_of("y"), &added, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(global_memory_add(temp->fd, view_of(" \n"), &added, &other), -1);
	assert_int_equal(other.kind, ERROR_INVALID);
}

static void a_link_in_its_place_is_not_followed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;
	bool added;

	tempdir_mkdir(temp->fd, "data");
	tempdir_put(temp->fd, "other", "mine");
	tempdir_symlink("../other", temp->fd, "data/global.md");
	assert_int_equal(global_memory_add(temp->fd, view_of("y"), &added, &err), -1);
	text = tempdir_get(temp->fd, "other");
	assert_string_equal(text, "mine");
}

/* --- transcripts ------------------------------------------------------------- */

#define PROJECT "data/sessions/g/.claude/projects/-workspace-agent"
#define NATIVE  "data/sessions/g/.claude/native"
#define DAY     ((int64_t)24 * 60 * 60 * 1000)
#define NOW     ((int64_t)1800000000 * 1000)

static void put_folders(int root)
{
	static const char *const folders[] = {"data", "data/sessions", "data/sessions/g",
		"data/sessions/g/.claude", "data/sessions/g/.claude/projects", PROJECT,
		PROJECT "/memory"};

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		tempdir_mkdir(root, folders[i]);
	tempdir_put(root, PROJECT "/memory/MEMORY.md", "likes tea");
}

static char *id_of(int number)
{
	return xasprintf("%08d-0000-4000-8000-000000000000", number);
}

static void put_transcript(int root, int number, int days_old, size_t size)
{
	CLEANUP(freep) char *id = id_of(number);
	CLEANUP(freep) char *path = xasprintf(PROJECT "/%s.jsonl", id);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct timespec time = {.tv_sec = (NOW - days_old * DAY) / 1000};
	struct timespec times[2] = {time, time};

	buf_append_repeated(&text, 'x', size);
	tempdir_put(root, path, text.data);
	assert_int_equal(utimensat(root, path, times, 0), 0);
}

static bool is_there(int root, int number)
{
	CLEANUP(freep) char *id = id_of(number);
	CLEANUP(freep) char *path = xasprintf(PROJECT "/%s.jsonl", id);

	return tempdir_exists(root, path);
}

static size_t trim(int root, int current, int64_t days, uint64_t bytes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *id = id_of(current);
	struct transcripts_limits limits = {days * DAY, bytes};
	size_t removed = 0;

	if (transcripts_trim(root, "g", id, &limits, NOW, &removed, &err) < 0)
		fail_msg("%s", err.message);
	return removed;
}

static void old_transcripts_go_but_not_the_current_one(void **state)
{
	struct tempdir *temp = *state;

	put_folders(temp->fd);
	put_transcript(temp->fd, 1, 100, 10);
	put_transcript(temp->fd, 2, 100, 10);
	put_transcript(temp->fd, 3, 10, 10);
	tempdir_mkdir(temp->fd, PROJECT "/00000002-0000-4000-8000-000000000000");
	tempdir_put(temp->fd, PROJECT "/00000002-0000-4000-8000-000000000000/x", "x");
	assert_int_equal(trim(temp->fd, 1, 90, UINT64_MAX), 1);
	assert_true(is_there(temp->fd, 1));
	assert_false(is_there(temp->fd, 2));
	assert_true(is_there(temp->fd, 3));
	assert_false(tempdir_exists(temp->fd, PROJECT "/00000002-0000-4000-8000-000000000000"));
}

static void the_oldest_go_when_there_is_too_much(void **state)
{
	struct tempdir *temp = *state;

	put_folders(temp->fd);
	for (int i = 1; i <= 5; i++)
		put_transcript(temp->fd, i, 10 - i, 100000);
	put_transcript(temp->fd, 6, 0, 100000);
	assert_int_equal(trim(temp->fd, 1, 90, 350000), 3);
	assert_true(is_there(temp->fd, 1));
	assert_false(is_there(temp->fd, 2));
	assert_false(is_there(temp->fd, 3));
	assert_false(is_there(temp->fd, 4));
	assert_true(is_there(temp->fd, 5));
	assert_true(is_there(temp->fd, 6));
}

static void logs_of_the_native_agent_are_transcripts(void **state)
{
	static const char log[] = NATIVE "/00000002-0000-4000-8000-000000000000.jsonl";
	struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	struct tempdir *temp = *state;

	put_folders(temp->fd);
	tempdir_mkdir(temp->fd, NATIVE);
	tempdir_put(temp->fd, log, "x");
	assert_int_equal(utimensat(temp->fd, log, times, 0), 0);
	assert_int_equal(trim(temp->fd, 1, 90, UINT64_MAX), 1);
	assert_false(tempdir_exists(temp->fd, log));
}

static void nothing_else_is_touched(void **state)
{
	struct tempdir *temp = *state;
	struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

	put_folders(temp->fd);
	tempdir_put(temp->fd, PROJECT "/notes.jsonl", "mine");
	tempdir_put(temp->fd, "outside.jsonl", "mine");
	tempdir_symlink("../../../../../../outside.jsonl", temp->fd,
		PROJECT "/00000007-0000-4000-8000-000000000000.jsonl");
	assert_int_equal(utimensat(temp->fd, PROJECT "/notes.jsonl", times, 0), 0);
	assert_int_equal(utimensat(temp->fd, PROJECT "/memory/MEMORY.md", times, 0), 0);
	assert_int_equal(trim(temp->fd, 1, 1, 1), 0);
	assert_true(tempdir_exists(temp->fd, PROJECT "/notes.jsonl"));
	assert_true(tempdir_exists(temp->fd, PROJECT "/memory/MEMORY.md"));
	assert_true(tempdir_exists(temp->fd, "outside.jsonl"));
}

TESTS(IN_TEMPDIR(entries_are_added_at_the_end),
	IN_TEMPDIR(what_stands_there_is_not_added_again),
	IN_TEMPDIR(it_has_a_maximum_and_an_entry_has_words),
	IN_TEMPDIR(a_link_in_its_place_is_not_followed),
	IN_TEMPDIR(old_transcripts_go_but_not_the_current_one),
	IN_TEMPDIR(the_oldest_go_when_there_is_too_much),
	IN_TEMPDIR(logs_of_the_native_agent_are_transcripts),
	IN_TEMPDIR(nothing_else_is_touched))
