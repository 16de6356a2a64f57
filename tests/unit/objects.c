#include "test.h"

#include <errno.h>
#include <string.h>

#include "engine/core/objects.h"
#include "tempdir.h"

/* SHA-256 of "text" */
#define HEX      "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"
#define HEX_REST "2d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"
#define PATH     "objects/98/" HEX_REST

static struct hash hash_of_text(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct hash hash;

	assert_int_equal(hash_from_hex(view_of(HEX), &hash, &err), 0);
	return hash;
}

static void put_object(int dirfd, const char *content)
{
	tempdir_mkdir(dirfd, "objects");
	tempdir_mkdir(dirfd, "objects/98");
	tempdir_put(dirfd, PATH, content);
}

static void an_object_is_read_up_to_a_limit(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();

	assert_false(objects_has(temp->fd, &hash));
	put_object(temp->fd, "text");
	assert_true(objects_has(temp->fd, &hash));
	assert_int_equal(objects_read(temp->fd, &hash, 4, &content, &err), 0);
	assert_string_equal(content.data, "text");
	assert_int_equal(objects_read(temp->fd, &hash, 3, &content, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void a_missing_object_has_the_errnum_ENOENT(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();

	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
}

static void a_damaged_object_is_never_handed_out(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();

	put_object(temp->fd, "tex\n");
	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), -1);
	assert_int_equal(err.errnum, EBADMSG);
	assert_non_null(strstr(err.message, PATH));
	assert_int_equal(content.len, 0);
}

static void a_link_in_the_way_is_not_followed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	struct hash hash = hash_of_text();

	tempdir_mkdir(temp->fd, "elsewhere");
	tempdir_mkdir(temp->fd, "elsewhere/98");
	tempdir_put(temp->fd, "elsewhere/98/" HEX_REST, "text");
	tempdir_symlink("elsewhere", temp->fd, "objects");
	assert_int_equal(objects_read(temp->fd, &hash, 100, &content, &err), -1);
	assert_false(objects_has(temp->fd, &hash));
}

TESTS(IN_TEMPDIR(an_object_is_read_up_to_a_limit),
	IN_TEMPDIR(a_missing_object_has_the_errnum_ENOENT),
	IN_TEMPDIR(a_damaged_object_is_never_handed_out),
	IN_TEMPDIR(a_link_in_the_way_is_not_followed))
