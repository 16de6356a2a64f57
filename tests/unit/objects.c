#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/objects.h"
#include "fault.h"
#include "tempdir.h"
#include "util/replace.h"

/* SHA-256 of "text" */
#define HEX  "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"
#define PATH "objects/98/2d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"

static struct hash hash_of_text(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash;

	assert_int_equal(hash_from_hex(view_of(HEX), &hash, &err), 0);
	return hash;
}

static void write_text(int dirfd)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash, expected = hash_of_text();

	assert_int_equal(objects_write(dirfd, view_of("text"), &hash, &err), 0);
	assert_true(hash_equal(&hash, &expected));
}

static void what_was_written_is_read(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();
	struct stat st;

	assert_false(objects_has(temp->fd, &hash));
	write_text(temp->fd);
	assert_true(objects_has(temp->fd, &hash));
	assert_int_equal(objects_read(temp->fd, &hash, 4, &content, &err), 0);
	assert_string_equal(content.data, "text");
	assert_int_equal(fstatat(temp->fd, PATH, &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0444);
	assert_int_equal(objects_sync(temp->fd, &hash, 1, &err), 0);
	assert_int_equal(objects_read(temp->fd, &hash, 3, &content, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void empty_and_binary_contents_are_kept(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct view views[] = {{"", 0}, {"a\0b\n\xff", 5}};
	struct hash hashes[2];

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(objects_write(temp->fd, views[i], &hashes[i], &err), 0);
		assert_int_equal(objects_read(temp->fd, &hashes[i], 100, &content, &err), 0);
		assert_true(view_equal(view_of_buf(&content), views[i]));
	}
	assert_int_equal(objects_sync(temp->fd, hashes, 2, &err), 0);
}

static void a_missing_object_is_told_by_its_errnum(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();

	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
}

static void a_damaged_object_is_never_handed_out_and_is_mended(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();

	write_text(temp->fd);
	assert_int_equal(fchmodat(temp->fd, PATH, 0644, 0), 0);
	tempdir_put(temp->fd, PATH, "tex\n");
	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), -1);
	assert_int_equal(err.errnum, EBADMSG);
	assert_non_null(strstr(err.message, PATH));
	assert_int_equal(content.len, 0);
	error_clear(&err);
	write_text(temp->fd);
	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), 0);
}

static void writing_again_changes_nothing(void **state)
{
	struct tempdir *temp = *state;
	struct stat before, after;

	write_text(temp->fd);
	assert_int_equal(fstatat(temp->fd, PATH, &before, 0), 0);
	fault_arm(FAULT_COUNT, 0);
	write_text(temp->fd);
	assert_int_equal(fault_disarm(), 0);
	assert_int_equal(fstatat(temp->fd, PATH, &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void a_failure_at_any_call_leaves_no_part(void **state)
{
	struct tempdir *temp = *state;
	struct hash hash = hash_of_text();

	for (unsigned long at = 1;; at++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		unsigned long calls;
		int result;

		fault_arm(FAULT_EIO, at);
		result = objects_write(temp->fd, view_of("text"), NULL, &err);
		calls = fault_disarm();
		if (calls < at) {
			assert_int_equal(result, 0);
			break;
		}
		assert_int_equal(result, -1);
		assert_false(objects_has(temp->fd, &hash));
	}
}

static void many_may_write_the_same_at_once(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();
	int status;

	for (int i = 0; i < 8; i++) {
		if (fork() == 0) {
			struct error child_err = ERROR_INIT;
			int result = 0;

			for (int n = 0; n < 50 && !result; n++) {
				result = objects_write(
					temp->fd, view_of("text"), NULL, &child_err);
				unlinkat(temp->fd, PATH, 0);
			}
			_exit(result ? 1 : 0);
		}
	}
	for (int i = 0; i < 8; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	write_text(temp->fd);
	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), 0);
}

static void leftovers_are_removed_and_objects_stay(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash = hash_of_text();

	assert_int_equal(objects_clean(temp->fd, &err), 0);
	write_text(temp->fd);
	tempdir_put(temp->fd, "objects/98/" REPLACE_PREFIX "0123456789abcdef", "te");
	assert_int_equal(objects_clean(temp->fd, &err), 0);
	assert_false(tempdir_exists(temp->fd, "objects/98/" REPLACE_PREFIX "0123456789abcdef"));
	assert_true(objects_has(temp->fd, &hash));
}

static void a_link_in_the_way_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "elsewhere");
	tempdir_symlink("elsewhere", temp->fd, "objects");
	assert_int_equal(objects_write(temp->fd, view_of("text"), NULL, &err), -1);
	assert_false(tempdir_exists(temp->fd, "elsewhere/98"));
}

TESTS(IN_TEMPDIR(what_was_written_is_read), IN_TEMPDIR(empty_and_binary_contents_are_kept),
	IN_TEMPDIR(a_missing_object_is_told_by_its_errnum),
	IN_TEMPDIR(a_damaged_object_is_never_handed_out_and_is_mended),
	IN_TEMPDIR(writing_again_changes_nothing),
	IN_TEMPDIR(a_failure_at_any_call_leaves_no_part),
	IN_TEMPDIR(many_may_write_the_same_at_once),
	IN_TEMPDIR(leftovers_are_removed_and_objects_stay),
	IN_TEMPDIR(a_link_in_the_way_is_refused))
