#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/disk/descend.h"
#include "tempdir.h"

/* More folders than stay open. */
#define DEEP 100

static void assert_found(struct descend *d, const char *path)
{
	struct stat st;
	const char *name;
	int folder;

	assert_int_equal(descend_to(d, path, &folder, &name), 0);
	assert_int_equal(fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW), 0);
}

static void folders_that_were_closed_are_found_again(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(descend_release) struct descend d = DESCEND_INIT(temp->fd);
	CLEANUP(buf_release) struct buf path = BUF_INIT;

	for (int i = 0; i < DEEP; i++) {
		buf_appendf(&path, "%sd", i ? "/" : "");
		tempdir_mkdir(temp->fd, path.data);
	}
	buf_append_str(&path, "/deep");
	tempdir_put(temp->fd, path.data, "");
	tempdir_put(temp->fd, "d/d/shallow", "");
	tempdir_put(temp->fd, "top", "");
	assert_found(&d, path.data);
	assert_found(&d, "d/d/shallow");
	assert_found(&d, path.data);
	assert_found(&d, "top");
}

static void a_link_on_the_way_is_no_folder(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(descend_release) struct descend d = DESCEND_INIT(temp->fd);
	const char *name;
	int folder;

	tempdir_mkdir(temp->fd, "real");
	tempdir_put(temp->fd, "real/f", "");
	assert_int_equal(symlinkat("real", temp->fd, "link"), 0);
	errno = 0;
	assert_int_equal(descend_to(&d, "link/f", &folder, &name), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(descend_to(&d, "gone/f", &folder, &name), -1);
	assert_int_equal(errno, ENOENT);
	assert_found(&d, "real/f");
}

TESTS(IN_TEMPDIR(folders_that_were_closed_are_found_again),
	IN_TEMPDIR(a_link_on_the_way_is_no_folder))
