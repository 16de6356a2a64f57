#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "fs/walk.h"
#include "swapper.h"
#include "tempdir.h"

/* --- what a walk has seen, one line for each ----------------------------------- */

static enum walk_result note(const struct walk_entry *entry, void *data, struct error *err)
{
	static const char letters[] = {
		[WALK_FILE] = 'f',
		[WALK_DIR] = 'd',
		[WALK_DIR_END] = 'e',
		[WALK_SYMLINK] = 'l',
		[WALK_OTHER] = 'o',
	};

	(void)err;
	assert_int_equal(strlen(entry->path), entry->path_len);
	buf_appendf(data, "%c %s\n", letters[entry->kind], entry->path);
	return WALK_GO_ON;
}

static void assert_walk(int dirfd, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf seen = BUF_INIT;

	assert_int_equal(walk(dirfd, note, &seen, &err), 0);
	assert_string_equal(seen.data, expected);
}

static void the_order_is_depth_first_and_by_bytes(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "b");
	tempdir_mkdir(temp->fd, "b/sub");
	tempdir_put(temp->fd, "b/sub/x", "");
	tempdir_put(temp->fd, "b/a", "");
	tempdir_put(temp->fd, "b.c", "");
	tempdir_put(temp->fd, "B", "");
	tempdir_put(temp->fd, "\xc3\xa4", "");
	tempdir_put(temp->fd, "new\nline", "");
	tempdir_fifo(temp->fd, "fifo");
	tempdir_mkdir(temp->fd, "empty");
	assert_walk(temp->fd, "f B\nd b\nf b/a\nd b/sub\nf b/sub/x\ne b/sub\ne b\nf b.c\n"
			      "d empty\ne empty\no fifo\nf new\nline\nf \xc3\xa4\n");
}

static void links_are_reported_and_not_followed(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "a/x", "");
	tempdir_symlink("a", temp->fd, "link");
	tempdir_symlink(".", temp->fd, "self");
	tempdir_symlink("/", temp->fd, "slash");
	assert_walk(temp->fd, "d a\nf a/x\ne a\nl link\nl self\nl slash\n");
}

static enum walk_result skip_b(const struct walk_entry *entry, void *data, struct error *err)
{
	note(entry, data, err);
	return strcmp(entry->name, "b") ? WALK_GO_ON : WALK_SKIP;
}

static enum walk_result stop_at_b(const struct walk_entry *entry, void *data, struct error *err)
{
	note(entry, data, err);
	return strcmp(entry->name, "b") ? WALK_GO_ON : WALK_STOP;
}

static enum walk_result fail_at_b(const struct walk_entry *entry, void *data, struct error *err)
{
	note(entry, data, err);
	if (strcmp(entry->name, "b"))
		return WALK_GO_ON;
	error_set(err, ERROR_INVALID, "no b here");
	return WALK_FAIL;
}

static void the_caller_can_skip_stop_and_fail(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf seen = BUF_INIT;

	tempdir_mkdir(temp->fd, "a");
	tempdir_mkdir(temp->fd, "a/b");
	tempdir_put(temp->fd, "a/b/x", "");
	tempdir_put(temp->fd, "a/c", "");
	assert_int_equal(walk(temp->fd, skip_b, &seen, &err), 0);
	assert_string_equal(seen.data, "d a\nd a/b\nf a/c\ne a\n");
	buf_clear(&seen);
	assert_int_equal(walk(temp->fd, stop_at_b, &seen, &err), 0);
	assert_string_equal(seen.data, "d a\nd a/b\n");
	buf_clear(&seen);
	assert_int_equal(walk(temp->fd, fail_at_b, &seen, &err), -1);
	assert_string_equal(seen.data, "d a\nd a/b\n");
	assert_string_equal(err.message, "no b here");
}

/* Removes from under the walk what it has not come to yet. */
static enum walk_result remove_ahead(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct tempdir *temp = data;

	(void)err;
	assert_string_not_equal(entry->name, "gone");
	assert_string_not_equal(entry->name, "in");
	assert_true(strncmp(entry->path, "c/", 2)); /* /etc, through the link */
	if (!strcmp(entry->path, "a"))
		unlinkat(temp->fd, "a/gone", 0);
	if (!strcmp(entry->path, "b") && entry->kind == WALK_DIR) {
		unlinkat(temp->fd, "b/in", 0);
		unlinkat(temp->fd, "b", AT_REMOVEDIR);
	}
	if (!strcmp(entry->path, "c") && entry->kind == WALK_DIR) {
		unlinkat(temp->fd, "c/in", 0);
		unlinkat(temp->fd, "c", AT_REMOVEDIR);
		tempdir_symlink("/etc", temp->fd, "c");
	}
	return WALK_GO_ON;
}

static void what_vanishes_before_its_turn_is_no_error(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "a/gone", "");
	tempdir_mkdir(temp->fd, "b");
	tempdir_put(temp->fd, "b/in", "");
	tempdir_mkdir(temp->fd, "c");
	tempdir_put(temp->fd, "c/in", "");
	assert_int_equal(walk(temp->fd, remove_ahead, temp, &err), 0);
}

static enum walk_result assert_inside(
	const struct walk_entry *entry, void *data, struct error *err)
{
	(void)data;
	(void)err;
	assert_string_not_equal(entry->name, "outside-file");
	return WALK_GO_ON;
}

static void a_link_swapped_in_shows_nothing_outside(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(closep) int root = -1;

	tempdir_mkdir(temp->fd, "outside");
	tempdir_put(temp->fd, "outside/outside-file", "");
	tempdir_mkdir(temp->fd, "root");
	tempdir_mkdir(temp->fd, "root/d");
	tempdir_put(temp->fd, "root/d/file", "");
	tempdir_symlink("../outside", temp->fd, "root/link");
	root = openat(temp->fd, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	swapper_start(root, "d", "link");
	for (int i = 0; i < 2000; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		assert_int_equal(walk(root, assert_inside, NULL, &err), 0);
	}
	swapper_stop();
}

/* --- deep trees ---------------------------------------------------------------- */

static int count_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int count = 0;

	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

struct tally {
	int files;
	int ends;
	int most_open;
};

static enum walk_result count(const struct walk_entry *entry, void *data, struct error *err)
{
	struct tally *tally = data;

	(void)err;
	tally->files += entry->kind == WALK_FILE;
	tally->ends += entry->kind == WALK_DIR_END;
	if (tally->files % 100 == 0) {
		int open = count_open_files();

		tally->most_open = open > tally->most_open ? open : tally->most_open;
	}
	return WALK_GO_ON;
}

static void a_tree_of_2000_levels_is_walked_with_few_descriptors(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tally tally = {0};
	int before = count_open_files();

	tempdir_make_deep(temp->fd);
	assert_int_equal(walk(temp->fd, count, &tally, &err), 0);
	assert_int_equal(tally.files, TEMPDIR_DEEP);
	assert_int_equal(tally.ends, TEMPDIR_DEEP);
	assert_true(tally.most_open - before < 50);
	assert_int_equal(count_open_files(), before);
}

struct mover {
	int dirfd;
	ino_t outside; /* of a file that must not be seen */
	int files;
	bool moved;
};

static enum walk_result move_away(const struct walk_entry *entry, void *data, struct error *err)
{
	struct mover *mover = data;

	(void)err;
	assert_int_not_equal(entry->stat.st_ino, mover->outside);
	mover->files += entry->kind == WALK_FILE;
	/* At the bottom: take the tree under our feet to another place. */
	if (entry->kind == WALK_DIR_END && !mover->moved) {
		mover->moved = true;
		assert_int_equal(renameat(mover->dirfd, "root/top/directory/directory",
					 mover->dirfd, "outside/directory"),
			0);
	}
	return WALK_GO_ON;
}

static void a_tree_that_is_moved_away_meanwhile_does_not_lead_outside(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int root = -1;
	CLEANUP(closep) int top = -1;
	struct mover mover = {.dirfd = temp->fd};
	struct stat st;

	/* Where `..` leads after the move, a file of the name that comes next. */
	tempdir_mkdir(temp->fd, "outside");
	tempdir_put(temp->fd, "outside/zfile", "");
	assert_int_equal(fstatat(temp->fd, "outside/zfile", &st, 0), 0);
	mover.outside = st.st_ino;
	tempdir_mkdir(temp->fd, "root");
	tempdir_mkdir(temp->fd, "root/top");
	tempdir_put(temp->fd, "root/zlast", "");
	top = openat(temp->fd, "root/top", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tempdir_make_deep(top);
	root = openat(temp->fd, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(walk(root, move_away, &mover, &err), 0);
	assert_true(mover.moved);
	assert_true(mover.files >= 3); /* zlast and the two files of what stayed */
}

TESTS(IN_TEMPDIR(the_order_is_depth_first_and_by_bytes),
	IN_TEMPDIR(links_are_reported_and_not_followed),
	IN_TEMPDIR(the_caller_can_skip_stop_and_fail),
	IN_TEMPDIR(what_vanishes_before_its_turn_is_no_error),
	WITH_SWAPPER(a_link_swapped_in_shows_nothing_outside),
	IN_TEMPDIR(a_tree_of_2000_levels_is_walked_with_few_descriptors),
	IN_TEMPDIR(a_tree_that_is_moved_away_meanwhile_does_not_lead_outside))
