#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/native/session/log.h"
#include "base/buf.h"
#include "format/json.h"
#include "fs/file.h"
#include "tempdir.h"

static void note(void *data, json_t *record)
{
	buf_appendf(data, "%d ", (int)json_number_value(json_object_get(record, "n")));
}

static struct log *open_log(const char *folder, struct buf *seen)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct log *log = NULL;

	buf_clear(seen);
	assert_int_equal(log_open(folder, "s1", LOG_EITHER, note, seen, &log, &err), 0);
	return log;
}

static void add(struct log *log, int number)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(log_add(log, json_pack("{s:i}", "n", number), true, &err), 0);
}

static void a_log_that_ends_at_any_byte_goes_on(void **state)
{
	const char *dir = ((struct tempdir *)*state)->path;
	CLEANUP(freep) char *path = xasprintf("%s/s1.jsonl", dir);
	CLEANUP(buf_release) struct buf seen = BUF_INIT;
	CLEANUP(buf_release) struct buf whole = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct log *log = open_log(dir, &seen);

	for (int i = 0; i < 3; i++)
		add(log, i);
	log_close(log);
	assert_int_equal(file_read(path, 1000, &whole, &err), 0);
	for (size_t len = 0; len <= whole.len; len++) {
		CLEANUP(buf_release) struct buf expected = BUF_INIT;
		FILE *file = fopen(path, "we");

		fwrite(whole.data, 1, len, file);
		fclose(file);
		log_close(open_log(dir, &seen));
		for (size_t i = 0, n = 0; i < len; i++)
			if (whole.data[i] == '\n')
				buf_appendf(&expected, "%zu ", n++);
		assert_string_equal(seen.data, expected.data);
		log = open_log(dir, &seen);
		add(log, 9);
		log_close(log);
		log_close(open_log(dir, &seen));
		buf_append_str(&expected, "9 ");
		assert_string_equal(seen.data, expected.data);
	}
}

static void a_damaged_line_is_passed_over(void **state)
{
	const char *dir = ((struct tempdir *)*state)->path;
	CLEANUP(freep) char *path = xasprintf("%s/s1.jsonl", dir);
	CLEANUP(buf_release) struct buf seen = BUF_INIT;
	FILE *file = fopen(path, "we");

	fputs("{\"n\":1}\n\xff\xfe{{\n[]\n{\"n\":2}\n", file);
	fclose(file);
	log_close(open_log(dir, &seen));
	assert_string_equal(seen.data, "1 2 ");
}

static void one_process_has_it_at_a_time(void **state)
{
	const char *dir = ((struct tempdir *)*state)->path;
	CLEANUP(buf_release) struct buf seen = BUF_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct log *log = open_log(dir, &seen);
	struct log *other;

	assert_int_equal(log_open(dir, "s1", LOG_EXISTING, note, &seen, &other, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
	log_close(log);
}

static void a_session_that_is_none_is_refused(void **state)
{
	static const char *const names[] = {"", "-x", "../x", "a/b", "a.b", "nobody"};
	const char *dir = ((struct tempdir *)*state)->path;
	CLEANUP(buf_release) struct buf seen = BUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		struct log *log;

		assert_int_equal(
			log_open(dir, names[i], LOG_EXISTING, note, &seen, &log, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
}

static void new_sessions_have_good_names(void **state)
{
	CLEANUP(freep) char *a = log_new_session();
	CLEANUP(freep) char *b = log_new_session();

	(void)state;
	assert_true(log_is_session(a) && log_is_session(b));
	assert_string_not_equal(a, b);
}

static void the_newest_logs_come_first(void **state)
{
	static const char *const names[] = {"b.jsonl", "a.jsonl", "c.jsonl", "d.txt", ".jsonl"};
	struct tempdir *temp = *state;
	CLEANUP(string_array_release) struct string_array found = {0};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct timespec times[2] = {{.tv_sec = (time_t)i}, {.tv_sec = (time_t)i}};

		tempdir_put(temp->fd, names[i], "");
		assert_int_equal(utimensat(temp->fd, names[i], times, 0), 0);
	}
	log_recent(temp->path, 2, &found);
	assert_int_equal(found.count, 2);
	assert_string_equal(found.list[0], "c");
	assert_string_equal(found.list[1], "a");
}

TESTS(IN_TEMPDIR(a_log_that_ends_at_any_byte_goes_on),
	IN_TEMPDIR(a_damaged_line_is_passed_over), IN_TEMPDIR(one_process_has_it_at_a_time),
	IN_TEMPDIR(a_session_that_is_none_is_refused), IN_TEMPDIR(the_newest_logs_come_first),
	cmocka_unit_test(new_sessions_have_good_names))
