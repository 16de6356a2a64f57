#include "test.h"

#include <string.h>
#include <unistd.h>

#include "archive/gzip.h"
#include "tempdir.h"
#include <fcntl.h>

#define LEN ((size_t)300 * 1000)

/* Some of it can be compressed, and some not. */
static char *content(void)
{
	char *text = xmalloc(LEN);
	unsigned number = 1;

	for (size_t i = 0; i < LEN; i++) {
		number = number * 1103515245 + 12345;
		text[i] = (char)(i % 4096 < 2048 ? 'a' : number >> 16);
	}
	return text;
}

static void put(int fd, const char *text, size_t len)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(gzip_writer_freep) struct gzip_writer *out = gzip_writer_new(fd);

	for (size_t at = 0; at < len; at += 777)
		assert_int_equal(
			gzip_write(out, text + at, len - at < 777 ? len - at : 777, &err), 0);
	assert_int_equal(gzip_write_end(out, &err), 0);
}

static int open_file(struct tempdir *temp)
{
	return openat(temp->fd, "file", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static int read_back(int fd, char *text, size_t len, struct error *err)
{
	CLEANUP(gzip_reader_freep) struct gzip_reader *in = gzip_reader_new(fd);

	lseek(fd, 0, SEEK_SET);
	if (gzip_read(in, text, len, err) < 0)
		return -1;
	return gzip_read_end(in, err);
}

static void two_files_in_a_row_read_as_one(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = content();
	CLEANUP(freep) char *again = xmalloc(LEN);
	CLEANUP(closep) int fd = open_file(*state);

	put(fd, text, 1000);
	put(fd, text + 1000, LEN - 1000);
	assert_int_equal(read_back(fd, again, LEN, &err), 0);
	assert_memory_equal(text, again, LEN);
}

static void a_file_that_is_cut_anywhere_is_refused(void **state)
{
	CLEANUP(freep) char *text = content();
	CLEANUP(freep) char *again = xmalloc(LEN);
	CLEANUP(closep) int fd = open_file(*state);
	off_t len;

	put(fd, text, LEN);
	len = lseek(fd, 0, SEEK_END);
	for (off_t cut = len - 1; cut >= 0; cut = cut > len - 20 ? cut - 1 : cut - 4999) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		assert_int_equal(ftruncate(fd, cut), 0);
		assert_int_equal(read_back(fd, again, LEN, &err), -1);
		assert_int_equal(err.kind, ERROR_INVALID);
	}
}

static void bytes_behind_the_end_are_refused(void **state)
{
	CLEANUP(freep) char *text = content();
	CLEANUP(freep) char *again = xmalloc(LEN);
	CLEANUP(closep) int fd = open_file(*state);
	CLEANUP(error_release) struct error err = ERROR_INIT;

	put(fd, text, LEN);
	assert_int_equal(write(fd, "x", 1), 1);
	assert_int_equal(read_back(fd, again, LEN, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void more_than_was_asked_for_is_refused(void **state)
{
	CLEANUP(freep) char *text = content();
	CLEANUP(freep) char *again = xmalloc(LEN);
	CLEANUP(closep) int fd = open_file(*state);
	CLEANUP(error_release) struct error err = ERROR_INIT;

	put(fd, text, LEN);
	assert_int_equal(read_back(fd, again, LEN - 1, &err), -1);
	assert_string_equal(err.message, "there is more data than expected");
}

TESTS(IN_TEMPDIR(two_files_in_a_row_read_as_one),
	IN_TEMPDIR(a_file_that_is_cut_anywhere_is_refused),
	IN_TEMPDIR(bytes_behind_the_end_are_refused),
	IN_TEMPDIR(more_than_was_asked_for_is_refused))
