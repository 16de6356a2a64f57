#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fault.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "swapper.h"
#include "tempdir.h"

/* --- removing ------------------------------------------------------------------ */

static void a_tree_is_removed_and_nothing_outside_it(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *list = NULL;

	tempdir_mkdir(temp->fd, "outside");
	tempdir_put(temp->fd, "outside/file", "");
	tempdir_mkdir(temp->fd, "tree");
	tempdir_mkdir(temp->fd, "tree/a");
	tempdir_mkdir(temp->fd, "tree/a/b\n");
	tempdir_put(temp->fd, "tree/a/b\n/\xff", "");
	tempdir_symlink("../outside", temp->fd, "tree/link");
	tempdir_symlink("../../outside/file", temp->fd, "tree/a/link");
	tempdir_fifo(temp->fd, "tree/fifo");
	assert_int_equal(tree_remove(temp->fd, "tree", &err), 0);
	list = tempdir_list(temp->fd);
	assert_string_equal(list, "outside\n");
	assert_true(tempdir_exists(temp->fd, "outside/file"));
}

static void removing_a_file_a_link_or_nothing_works_too(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *list = NULL;

	tempdir_mkdir(temp->fd, "kept");
	tempdir_put(temp->fd, "file", "");
	tempdir_symlink("kept", temp->fd, "link");
	assert_int_equal(tree_remove(temp->fd, "file", &err), 0);
	assert_int_equal(tree_remove(temp->fd, "link", &err), 0);
	assert_int_equal(tree_remove(temp->fd, "missing", &err), 0);
	list = tempdir_list(temp->fd);
	assert_string_equal(list, "kept\n");
}

static void a_tree_of_2000_levels_is_removed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "tree");
	{
		CLEANUP(closep)
		int fd = openat(temp->fd, "tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		tempdir_make_deep(fd);
	}
	assert_int_equal(tree_remove(temp->fd, "tree", &err), 0);
	assert_false(tempdir_exists(temp->fd, "tree"));
}

static void an_interrupted_removal_can_be_repeated(void **state)
{
	struct tempdir *temp = *state;

	for (unsigned long n = 1; n <= 4; n++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		tempdir_mkdir(temp->fd, "tree");
		tempdir_mkdir(temp->fd, "tree/a");
		tempdir_put(temp->fd, "tree/a/x", "");
		tempdir_put(temp->fd, "tree/y", "");
		fault_arm(FAULT_EIO, n);
		assert_int_equal(tree_remove(temp->fd, "tree", &err), -1);
		fault_disarm();
		assert_int_equal(err.errnum, EIO);
		error_clear(&err);
		assert_int_equal(tree_remove(temp->fd, "tree", &err), 0);
		assert_false(tempdir_exists(temp->fd, "tree"));
	}
}

static void removing_while_a_link_is_swapped_in_removes_nothing_outside(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "outside");
	tempdir_put(temp->fd, "outside/file", "");
	for (int i = 0; i < 200; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(closep) int root = -1;

		tempdir_mkdir(temp->fd, "root");
		tempdir_mkdir(temp->fd, "root/d");
		tempdir_put(temp->fd, "root/d/file", "");
		tempdir_symlink("../outside", temp->fd, "root/link");
		root = openat(temp->fd, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		swapper_start(root, "d", "link");
		tree_remove(temp->fd, "root", &err);
		swapper_stop();
		error_clear(&err);
		assert_true(tempdir_exists(temp->fd, "outside/file"));
		assert_int_equal(tree_remove(temp->fd, "root", &err), 0);
	}
}

/* --- copying ------------------------------------------------------------------- */

#define COPIED (200 * 1024 + 3)

static char *copied_content(void)
{
	char *content = xmalloc(COPIED + 1);

	for (size_t i = 0; i < COPIED; i++)
		content[i] = (char)('a' + i % 23);
	content[COPIED] = '\0';
	return content;
}

static void assert_copies(int dirfd)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *content = copied_content();
	CLEANUP(freep) char *copy = NULL;
	struct stat st;

	tempdir_put(dirfd, "from", content);
	assert_int_equal(fchmodat(dirfd, "from", 0751, 0), 0);
	assert_int_equal(tree_copy_file(dirfd, "from", dirfd, "to", &err), 0);
	copy = tempdir_get(dirfd, "to");
	assert_string_equal(copy, content);
	assert_int_equal(fstatat(dirfd, "to", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0751);
}

static void a_copy_has_the_content_and_the_mode(void **state)
{
	struct tempdir *temp = *state;

	assert_copies(temp->fd);
}

static int copy_errno;

static ssize_t copy_nothing(int from, int to, size_t len)
{
	(void)from;
	(void)to;
	(void)len;
	errno = copy_errno;
	return copy_errno ? -1 : 0;
}

static void a_copy_needs_no_help_from_the_file_system(void **state)
{
	struct tempdir *temp = *state;
	static const int refusals[] = {0, EXDEV, ENOSYS, EOPNOTSUPP, EINVAL, EPERM};
	struct sys_calls real = sys;

	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		copy_errno = refusals[i];
		sys.copy_range = copy_nothing;
		assert_copies(temp->fd);
		sys = real;
		unlinkat(temp->fd, "to", 0);
	}
}

static void a_failed_copy_is_removed(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *content = copied_content();
	struct sys_calls real = sys;

	tempdir_put(temp->fd, "from", content);
	/* The first four calls of each way: create, copy or write, chmod. */
	for (int by_hand = 0; by_hand <= 1; by_hand++) {
		for (unsigned long n = 1; n <= 4; n++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;

			copy_errno = EXDEV;
			sys.copy_range = by_hand ? copy_nothing : real.copy_range;
			fault_arm(FAULT_EIO, n);
			assert_int_equal(
				tree_copy_file(temp->fd, "from", temp->fd, "to", &err), -1);
			fault_disarm();
			sys = real;
			assert_int_equal(err.errnum, EIO);
			assert_false(tempdir_exists(temp->fd, "to"));
		}
	}
}

static void only_regular_files_are_copied_and_nothing_is_replaced(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;

	tempdir_put(temp->fd, "from", "new");
	tempdir_put(temp->fd, "to", "old");
	tempdir_fifo(temp->fd, "fifo");
	tempdir_symlink("from", temp->fd, "link");
	assert_int_equal(tree_copy_file(temp->fd, "from", temp->fd, "to", &err), -1);
	assert_int_equal(err.errnum, EEXIST);
	error_clear(&err);
	assert_int_equal(tree_copy_file(temp->fd, "fifo", temp->fd, "x", &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	error_clear(&err);
	assert_int_equal(tree_copy_file(temp->fd, "link", temp->fd, "x", &err), -1);
	assert_int_equal(err.errnum, ELOOP);
	text = tempdir_get(temp->fd, "to");
	assert_string_equal(text, "old");
	assert_false(tempdir_exists(temp->fd, "x"));
}

TESTS(IN_TEMPDIR(a_tree_is_removed_and_nothing_outside_it),
	IN_TEMPDIR(removing_a_file_a_link_or_nothing_works_too),
	IN_TEMPDIR(a_tree_of_2000_levels_is_removed),
	IN_TEMPDIR(an_interrupted_removal_can_be_repeated),
	WITH_SWAPPER(removing_while_a_link_is_swapped_in_removes_nothing_outside),
	IN_TEMPDIR(a_copy_has_the_content_and_the_mode),
	IN_TEMPDIR(a_copy_needs_no_help_from_the_file_system),
	IN_TEMPDIR(a_failed_copy_is_removed),
	IN_TEMPDIR(only_regular_files_are_copied_and_nothing_is_replaced))
