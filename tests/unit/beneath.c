#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"
#include "forbid.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/tree.h"
#include "swapper.h"
#include "tempdir.h"

#define RACES 2000

static struct relpath parse(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath path = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &path, &err), 0);
	return path;
}

static void assert_reads(int root, const char *text, const char *expected)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = parse(text);
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	assert_int_equal(beneath_read(root, &path, 100, &content, &err), 0);
	assert_string_equal(content.data, expected);
}

/* Returns the errnum; the buffer must be as it was. */
static int assert_unreadable(int root, const char *text, enum error_kind kind, const char *why)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = parse(text);
	CLEANUP(buf_release) struct buf content = BUF_INIT;

	buf_append_str(&content, "before");
	assert_int_equal(beneath_read(root, &path, 100, &content, &err), -1);
	assert_int_equal(err.kind, kind);
	assert_non_null(strstr(err.message, why));
	assert_string_equal(content.data, "before");
	return err.errnum;
}

static int open_parent(int root, const char *text, unsigned flags, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = parse(text);
	int fd = -1;

	if (beneath_open_parent(root, &path, flags, &fd, err) < 0)
		assert_int_equal(fd, -1);
	return fd;
}

static void files_at_any_depth_are_read(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "a");
	tempdir_mkdir(temp->fd, "a/b\n");
	tempdir_put(temp->fd, "top", "1");
	tempdir_put(temp->fd, "a/b\n/\xff\x80", "2");
	assert_reads(temp->fd, "top", "1");
	assert_reads(temp->fd, "a/b\n/\xff\x80", "2");
}

static void a_file_may_have_the_maximum_and_no_more(void **state)
{
	struct tempdir *temp = *state;
	char content[101];

	memset(content, 'x', sizeof(content));
	content[100] = '\0';
	tempdir_put_bytes(temp->fd, "fits", content, 100);
	assert_reads(temp->fd, "fits", content);
	tempdir_put_bytes(temp->fd, "more", content, 101);
	assert_unreadable(temp->fd, "more", ERROR_INVALID, "larger than 100 bytes");
}

static void a_missing_file_is_told_by_its_errnum(void **state)
{
	struct tempdir *temp = *state;

	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "file", "");
	assert_int_equal(assert_unreadable(temp->fd, "x", ERROR_FAILED, "'x'"), ENOENT);
	assert_int_equal(assert_unreadable(temp->fd, "a/x", ERROR_FAILED, "'a/x'"), ENOENT);
	assert_int_equal(assert_unreadable(temp->fd, "x/y", ERROR_FAILED, "'x/y'"), ENOENT);
	assert_int_equal(
		assert_unreadable(temp->fd, "file/x", ERROR_FAILED, "'file/x'"), ENOTDIR);
}

static void no_symbolic_link_is_ever_followed(void **state)
{
	struct tempdir *temp = *state;
	static const char *const paths[] = {"link", "dangling", "loop", "dirlink/file", "up/x",
		"abs/passwd", "a/up/x", "magic/status"};

	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "a/file", "inside");
	tempdir_symlink("a/file", temp->fd, "link");
	tempdir_symlink("nowhere", temp->fd, "dangling");
	tempdir_symlink("loop", temp->fd, "loop");
	tempdir_symlink("a", temp->fd, "dirlink");
	tempdir_symlink("..", temp->fd, "up");
	tempdir_symlink("..", temp->fd, "a/up");
	tempdir_symlink("/etc", temp->fd, "abs");
	tempdir_symlink("/proc/self", temp->fd, "magic");
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		assert_int_equal(assert_unreadable(temp->fd, paths[i], ERROR_INVALID,
					 "a symbolic link is in the way"),
			ELOOP);
}

static void links_of_proc_lead_nowhere(void **state)
{
	CLEANUP(closep) int proc = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_unreadable(proc, "root/etc/passwd", ERROR_INVALID, "symbolic link");
	assert_unreadable(proc, "cwd/x", ERROR_INVALID, "symbolic link");
	assert_unreadable(proc, "exe", ERROR_INVALID, "symbolic link");
}

static void fifos_sockets_and_folders_are_refused_without_waiting(void **state)
{
	struct tempdir *temp = *state;
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/socket",
		temp->fd);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	tempdir_fifo(temp->fd, "fifo");
	tempdir_mkdir(temp->fd, "folder");
	assert_unreadable(temp->fd, "fifo", ERROR_INVALID, "'fifo' is a FIFO");
	assert_unreadable(temp->fd, "socket", ERROR_INVALID, "'socket' is a socket");
	assert_int_equal(
		assert_unreadable(temp->fd, "folder", ERROR_INVALID, "is a directory"), EISDIR);
	assert_int_equal(
		assert_unreadable(temp->fd, "fifo/x", ERROR_FAILED, "'fifo/x'"), ENOTDIR);
}

static void devices_are_refused(void **state)
{
	CLEANUP(closep) int dev = open("/dev", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_unreadable(dev, "zero", ERROR_INVALID, "'zero' is a device");
}

static void a_path_of_4095_bytes_is_opened(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;
	char text[4095];

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 256 == 255 ? '/' : 'x';
	assert_int_equal(relpath_parse((struct view){text, sizeof(text)}, &path, &err), 0);
	assert_int_equal(beneath_open_parent(temp->fd, &path, BENEATH_CREATE, &fd, &err), 0);
	tempdir_put(fd, relpath_base(&path), "deep");
	assert_reads(temp->fd, path.text, "deep");
}

static void a_link_at_the_end_is_looked_at_itself(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath link = parse("a/link");
	CLEANUP(relpath_release) struct relpath through = parse("a/link/x");
	CLEANUP(relpath_release) struct relpath file = parse("a");
	CLEANUP(relpath_release) struct relpath missing = parse("a/missing");
	CLEANUP(buf_release) struct buf target = BUF_INIT;
	struct stat st = {0};

	tempdir_mkdir(temp->fd, "a");
	tempdir_symlink("../../outside\n", temp->fd, "a/link");
	assert_int_equal(beneath_stat(temp->fd, &link, &st, &err), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(beneath_stat(temp->fd, &file, &st, &err), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(beneath_read_link(temp->fd, &link, &target, &err), 0);
	assert_string_equal(target.data, "../../outside\n");

	assert_int_equal(beneath_stat(temp->fd, &missing, &st, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
	error_clear(&err);
	assert_int_equal(beneath_stat(temp->fd, &through, &st, &err), -1);
	assert_int_equal(err.errnum, ELOOP);
	error_clear(&err);
	assert_int_equal(beneath_read_link(temp->fd, &file, &target, &err), -1);
	assert_non_null(strstr(err.message, "'a' is a directory, not a symbolic link"));
}

static void folders_are_opened_and_the_root_is_one(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = parse("a/b");
	CLEANUP(relpath_release) struct relpath link = parse("a/link");
	CLEANUP(relpath_release) struct relpath file = parse("a/b/file");
	CLEANUP(closep) int fd = -1;
	CLEANUP(closep) int root = -1;
	int untouched = -7;

	tempdir_mkdir(temp->fd, "a");
	tempdir_mkdir(temp->fd, "a/b");
	tempdir_put(temp->fd, "a/b/file", "");
	tempdir_symlink("b", temp->fd, "a/link");
	assert_int_equal(beneath_open_dir(temp->fd, &path, &fd, &err), 0);
	assert_true(tempdir_exists(fd, "file"));
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(beneath_open_dir(temp->fd, NULL, &root, &err), 0);
	assert_true(tempdir_exists(root, "a"));
	assert_int_equal(beneath_open_dir(temp->fd, &link, &untouched, &err), -1);
	assert_int_equal(err.errnum, ELOOP);
	error_clear(&err);
	assert_int_equal(beneath_open_dir(temp->fd, &file, &untouched, &err), -1);
	assert_int_equal(err.errnum, ENOTDIR);
	assert_int_equal(untouched, -7);
}

static void missing_parents_are_made_when_asked_for(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	assert_int_equal(open_parent(temp->fd, "a/b/c/file", 0, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
	assert_false(tempdir_exists(temp->fd, "a"));
	error_clear(&err);
	fd = open_parent(temp->fd, "a/b/c/file", BENEATH_CREATE | BENEATH_SYNC, &err);
	assert_true(fd >= 0);
	tempdir_put(fd, "file", "x");
	assert_reads(temp->fd, "a/b/c/file", "x");
	assert_int_equal(fsync(fd), 0);
}

static void parents_are_not_made_through_links_or_files(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "outside");
	tempdir_mkdir(temp->fd, "root");
	tempdir_put(temp->fd, "root/file", "");
	tempdir_fifo(temp->fd, "root/fifo");
	tempdir_symlink("../outside", temp->fd, "root/link");
	assert_int_equal(open_parent(temp->fd, "root/link/x/file", BENEATH_CREATE, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(err.errnum, ELOOP);
	assert_false(tempdir_exists(temp->fd, "outside/x"));
	error_clear(&err);
	assert_int_equal(open_parent(temp->fd, "root/file/x", BENEATH_CREATE, &err), -1);
	assert_int_equal(err.errnum, ENOTDIR);
	error_clear(&err);
	assert_int_equal(open_parent(temp->fd, "root/fifo/x/y", BENEATH_CREATE, &err), -1);
	assert_int_equal(err.errnum, ENOTDIR);
}

static void a_failure_while_making_parents_is_reported(void **state)
{
	struct tempdir *temp = *state;
	unsigned flags = BENEATH_CREATE | BENEATH_SYNC;
	unsigned long calls;

	for (int mode = FAULT_EIO; mode <= FAULT_ENOSPC; mode++) {
		for (unsigned long n = 1; n <= 3; n++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			/* With the disk full from the second call on, syncs still work. */
			int expected = mode == FAULT_EIO ? EIO : ENOSPC;
			CLEANUP(error_release) struct error ignored = ERROR_INIT;
			int fd;

			fault_arm(mode, n);
			fd = open_parent(temp->fd, "a/b/file", flags, &err);
			calls = fault_disarm();
			assert_int_equal(fd, -1);
			assert_int_equal(err.errnum, expected);
			assert_true(calls >= n);
			assert_int_equal(tree_remove(temp->fd, "a", &ignored), 0);
		}
	}
}

static void a_link_swapped_in_while_reading_shows_nothing_outside(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(relpath_release) struct relpath path = parse("d/e/secret");
	CLEANUP(closep) int root = -1;

	tempdir_mkdir(temp->fd, "outside");
	tempdir_mkdir(temp->fd, "outside/e");
	tempdir_put(temp->fd, "outside/e/secret", "outside");
	tempdir_mkdir(temp->fd, "root");
	tempdir_mkdir(temp->fd, "root/d");
	tempdir_mkdir(temp->fd, "root/d/e");
	tempdir_put(temp->fd, "root/d/e/secret", "inside");
	tempdir_symlink("../outside", temp->fd, "root/link");
	root = openat(temp->fd, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	swapper_start(root, "d", "link");
	for (int i = 0; i < RACES; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(buf_release) struct buf content = BUF_INIT;

		/* ENOTDIR: the link was in the way, and gone when it was looked at. */
		if (beneath_read(root, &path, 100, &content, &err) < 0)
			assert_true(err.errnum == ELOOP || err.errnum == ENOTDIR);
		else
			assert_string_equal(content.data, "inside");
	}
	swapper_stop();
}

static void a_link_swapped_in_while_making_parents_makes_nothing_outside(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(freep) char *made = NULL;
	CLEANUP(closep) int outside = -1;
	CLEANUP(closep) int root = -1;

	tempdir_mkdir(temp->fd, "outside");
	tempdir_mkdir(temp->fd, "root");
	tempdir_mkdir(temp->fd, "root/d");
	tempdir_symlink("../outside", temp->fd, "root/link");
	outside = openat(temp->fd, "outside", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	root = openat(temp->fd, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	swapper_start(root, "d", "link");
	for (int i = 0; i < RACES; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(freep) char *text = xasprintf("d/x%d/y/file", i % 50);
		CLEANUP(closep) int fd = open_parent(root, text, BENEATH_CREATE, &err);

		if (fd < 0)
			assert_true(err.errnum == ELOOP || err.errnum == ENOTDIR);
	}
	swapper_stop();
	made = tempdir_list(outside);
	assert_string_equal(made, "");
}

static void a_filter_that_forbids_openat2_changes_nothing(void **state)
{
	struct tempdir *temp = *state;
	static const unsigned answers[] = {ENOSYS, EPERM, EAGAIN};

	tempdir_mkdir(temp->fd, "a");
	tempdir_put(temp->fd, "a/file", "inside");
	tempdir_symlink("a", temp->fd, "link");
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		CLEANUP(relpath_release) struct relpath file = parse("a/file");
		CLEANUP(relpath_release) struct relpath link = parse("link/file");
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			struct error err = ERROR_INIT;
			struct buf content = BUF_INIT;

			forbid_call(SYS_openat2, answers[i]);
			if (beneath_read(temp->fd, &file, 100, &content, &err) < 0 ||
				strcmp(content.data, "inside"))
				_exit(1);
			if (!beneath_read(temp->fd, &link, 100, &content, &err))
				_exit(1);
			_exit(err.errnum == ELOOP ? 0 : 1);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
}

static void a_path_that_was_typed_may_be_anything_readable(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf content = BUF_INIT;
	CLEANUP(freep) char *link = xasprintf("%s/link", temp->path);
	CLEANUP(freep) char *missing = xasprintf("%s/missing", temp->path);

	tempdir_put(temp->fd, "file", "text");
	tempdir_symlink("file", temp->fd, "link");
	assert_int_equal(file_read(link, 4, &content, &err), 0);
	assert_string_equal(content.data, "text");
	assert_int_equal(file_read(link, 3, &content, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	error_clear(&err);
	assert_int_equal(file_read("/dev/zero", 1000, &content, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	error_clear(&err);
	assert_int_equal(file_read(missing, 10, &content, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
	error_clear(&err);
	assert_int_equal(file_read(temp->path, 10, &content, &err), -1);
	assert_int_equal(err.errnum, EISDIR);
	assert_string_equal(content.data, "text");
}

static int setup_fallback(void **state)
{
	beneath_force_fallback(true);
	return tempdir_setup(state);
}

static int teardown(void **state)
{
	beneath_force_fallback(false);
	return swapper_teardown(state);
}

/* Every claim holds with openat2() and without. */
#define BOTH_WAYS(test)                                                                        \
	{#test, test, tempdir_setup, teardown, NULL},                                          \
	{                                                                                      \
#test "_without_openat2", test, setup_fallback, teardown, NULL                 \
	}

TESTS(BOTH_WAYS(files_at_any_depth_are_read),
	BOTH_WAYS(a_file_may_have_the_maximum_and_no_more),
	BOTH_WAYS(a_missing_file_is_told_by_its_errnum),
	BOTH_WAYS(no_symbolic_link_is_ever_followed), BOTH_WAYS(links_of_proc_lead_nowhere),
	BOTH_WAYS(fifos_sockets_and_folders_are_refused_without_waiting),
	BOTH_WAYS(devices_are_refused), BOTH_WAYS(a_path_of_4095_bytes_is_opened),
	BOTH_WAYS(a_link_at_the_end_is_looked_at_itself),
	BOTH_WAYS(folders_are_opened_and_the_root_is_one),
	BOTH_WAYS(missing_parents_are_made_when_asked_for),
	BOTH_WAYS(parents_are_not_made_through_links_or_files),
	BOTH_WAYS(a_failure_while_making_parents_is_reported),
	BOTH_WAYS(a_link_swapped_in_while_reading_shows_nothing_outside),
	BOTH_WAYS(a_link_swapped_in_while_making_parents_makes_nothing_outside),
	IN_TEMPDIR(a_filter_that_forbids_openat2_changes_nothing),
	IN_TEMPDIR(a_path_that_was_typed_may_be_anything_readable))
