#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "tempdir.h"

#define OLD "the old content\n"
#define NEW "the new content, which is longer than the old one\n"

/* --- what is done at every fault: a row per operation ------------------------- */

static int do_file(int dirfd, struct error *err)
{
	static const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 2}};

	return replace_file(dirfd, "f", view_of(NEW), 0640, times, 0, err);
}

static int do_new_file(int dirfd, struct error *err)
{
	return replace_file(dirfd, "f", view_of(NEW), 0640, NULL, REPLACE_NEW, err);
}

static int do_symlink(int dirfd, struct error *err)
{
	return replace_symlink(dirfd, "f", NEW, 0, err);
}

static int do_new_symlink(int dirfd, struct error *err)
{
	return replace_symlink(dirfd, "f", NEW, REPLACE_NEW, err);
}

static int do_delete(int dirfd, struct error *err)
{
	return replace_delete(dirfd, "f", 0, err);
}

static int do_over_link(int dirfd, struct error *err)
{
	return replace_file(dirfd, "f", view_of(NEW), 0600, NULL, 0, err);
}

enum shape { NOTHING, OLD_FILE, OLD_LINK, NEW_FILE, NEW_LINK };

struct operation {
	int (*run)(int dirfd, struct error *err);
	enum shape before;
	enum shape after;
	bool without_noreplace;
};

static const struct operation operations[] = {
	{do_file, OLD_FILE, NEW_FILE, false},
	{do_new_file, NOTHING, NEW_FILE, false},
	{do_new_file, NOTHING, NEW_FILE, true},
	{do_symlink, OLD_LINK, NEW_LINK, false},
	{do_symlink, OLD_FILE, NEW_LINK, false},
	{do_new_symlink, NOTHING, NEW_LINK, false},
	{do_new_symlink, NOTHING, NEW_LINK, true},
	{do_delete, OLD_FILE, NOTHING, false},
	{do_over_link, OLD_LINK, NEW_FILE, false},
};

static int (*real_rename)(int, const char *, int, const char *, unsigned);

static int rename_without_noreplace(
	int fromfd, const char *from, int tofd, const char *to, unsigned flags)
{
	if (flags) {
		errno = EINVAL;
		return -1;
	}
	return real_rename(fromfd, from, tofd, to, flags);
}

static void prepare(int dirfd, const struct operation *op)
{
	unlinkat(dirfd, "f", 0);
	if (op->before == OLD_FILE)
		tempdir_put(dirfd, "f", OLD);
	if (op->before == OLD_LINK)
		tempdir_symlink(OLD, dirfd, "f");
	real_rename = real_rename ? real_rename : sys.rename;
	sys.rename = op->without_noreplace ? rename_without_noreplace : real_rename;
}

/* Exactly that, and nothing in between: anything else ends the test. */
static enum shape shape_of(int dirfd)
{
	CLEANUP(freep) char *target = tempdir_get_link(dirfd, "f");
	CLEANUP(freep) char *text = target ? NULL : tempdir_get(dirfd, "f");

	if (target) {
		assert_true(!strcmp(target, OLD) || !strcmp(target, NEW));
		return strcmp(target, OLD) ? NEW_LINK : OLD_LINK;
	}
	if (text) {
		assert_true(!strcmp(text, OLD) || !strcmp(text, NEW));
		return strcmp(text, OLD) ? NEW_FILE : OLD_FILE;
	}
	return NOTHING;
}

static void assert_old_or_new(int dirfd, const struct operation *op)
{
	enum shape shape = shape_of(dirfd);

	assert_true(shape == op->before || shape == op->after);
}

static void assert_nothing_else(int dirfd)
{
	CLEANUP(freep) char *list = tempdir_list(dirfd);

	assert_true(!strcmp(list, "f\n") || !strcmp(list, ""));
}

static unsigned long count_calls(int dirfd, const struct operation *op)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	unsigned long calls;

	prepare(dirfd, op);
	fault_arm(FAULT_COUNT, 0);
	assert_int_equal(op->run(dirfd, &err), 0);
	calls = fault_disarm();
	assert_int_equal(shape_of(dirfd), op->after);
	assert_nothing_else(dirfd);
	return calls;
}

static void fail_everywhere(int dirfd, enum fault_mode mode, int errnum)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
		const struct operation *op = &operations[i];
		unsigned long calls = count_calls(dirfd, op);

		for (unsigned long n = 1; n <= calls; n++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			int result;

			prepare(dirfd, op);
			fault_arm(mode, n);
			result = op->run(dirfd, &err);
			fault_disarm();
			if (result < 0)
				assert_int_equal(err.errnum, errnum);
			else
				assert_int_equal(shape_of(dirfd), op->after);
			assert_old_or_new(dirfd, op);
			/* I4: only a failed sync of the directory, the last call, is too late. */
			if (result < 0 && n < calls)
				assert_int_equal(shape_of(dirfd), op->before);
			assert_nothing_else(dirfd);
		}
	}
	sys.rename = real_rename;
}

static void an_input_output_error_anywhere_leaves_old_or_new(void **state)
{
	struct tempdir *temp = *state;

	fail_everywhere(temp->fd, FAULT_EIO, EIO);
}

static void a_full_disk_anywhere_leaves_old_or_new(void **state)
{
	struct tempdir *temp = *state;

	fail_everywhere(temp->fd, FAULT_ENOSPC, ENOSPC);
}

/* How many names there are beside `f`; each must be ours to clean. */
static int count_leftovers(int dirfd)
{
	CLEANUP(freep) char *list = tempdir_list(dirfd);
	struct view rest = view_of(list);
	struct view line;
	int count = 0;

	while (view_next(&rest, '\n', &line)) {
		CLEANUP(freep) char *name = xmemdupz(line.data, line.len);

		if (!strcmp(name, "f"))
			continue;
		assert_true(replace_is_temporary(name));
		count++;
	}
	return count;
}

static void die_everywhere(int dirfd, enum fault_mode mode)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
		const struct operation *op = &operations[i];
		unsigned long calls = count_calls(dirfd, op);

		for (unsigned long n = 1; n <= calls; n++) {
			CLEANUP(error_release) struct error err = ERROR_INIT;
			int status;
			pid_t pid;

			prepare(dirfd, op);
			pid = fork();
			if (pid == 0) {
				fault_arm(mode, n);
				op->run(dirfd, &err);
				_exit(0);
			}
			assert_int_equal(waitpid(pid, &status, 0), pid);
			assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
			assert_old_or_new(dirfd, op);
			assert_true(count_leftovers(dirfd) <= 1); /* I5 */
			assert_int_equal(replace_clean(dirfd, &err), 0);
			assert_nothing_else(dirfd);
			assert_old_or_new(dirfd, op);
		}
	}
	sys.rename = real_rename;
}

static void a_kill_anywhere_leaves_old_or_new(void **state)
{
	struct tempdir *temp = *state;

	die_everywhere(temp->fd, FAULT_KILL);
}

static void a_torn_write_leaves_old_or_new(void **state)
{
	struct tempdir *temp = *state;

	die_everywhere(temp->fd, FAULT_TORN);
}

/* --- the rest ----------------------------------------------------------------- */

static void mode_and_times_are_as_asked_whatever_the_umask(void **state)
{
	struct tempdir *temp = *state;
	struct timespec times[2] = {
		{.tv_sec = 1000, .tv_nsec = 5}, {.tv_sec = 2000, .tv_nsec = 7}};
	CLEANUP(error_release) struct error err = ERROR_INIT;
	mode_t old = umask(077);
	struct stat st;

	assert_int_equal(replace_file(temp->fd, "f", view_of("x"), 0755, times, 0, &err), 0);
	umask(old);
	assert_int_equal(fstatat(temp->fd, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	assert_int_equal(st.st_atim.tv_sec, 1000);
	assert_int_equal(st.st_mtim.tv_sec, 2000);
	assert_int_equal(st.st_mtim.tv_nsec, 7);
}

static void a_read_only_file_can_be_written_and_replaced(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;

	assert_int_equal(replace_file(temp->fd, "f", view_of("1"), 0444, NULL, 0, &err), 0);
	assert_int_equal(replace_file(temp->fd, "f", view_of("2"), 0444, NULL, 0, &err), 0);
	text = tempdir_get(temp->fd, "f");
	assert_string_equal(text, "2");
}

static void a_link_is_replaced_and_its_target_left_alone(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *target = NULL;
	CLEANUP(freep) char *text = NULL;

	tempdir_put(temp->fd, "target", OLD);
	tempdir_symlink("target", temp->fd, "f");
	assert_int_equal(replace_file(temp->fd, "f", view_of(NEW), 0644, NULL, 0, &err), 0);
	target = tempdir_get(temp->fd, "target");
	text = tempdir_get(temp->fd, "f");
	assert_string_equal(target, OLD);
	assert_string_equal(text, NEW);
}

static void assert_exists_refused(int dirfd)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;

	assert_int_equal(
		replace_file(dirfd, "f", view_of(NEW), 0644, NULL, REPLACE_NEW, &err), -1);
	assert_int_equal(err.errnum, EEXIST);
	error_clear(&err);
	assert_int_equal(replace_symlink(dirfd, "f", NEW, REPLACE_NEW, &err), -1);
	assert_int_equal(err.errnum, EEXIST);
	text = tempdir_get(dirfd, "f");
	assert_string_equal(text, OLD);
	assert_nothing_else(dirfd);
}

static void what_must_be_new_does_not_replace(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "f", OLD);
	assert_exists_refused(temp->fd);
	real_rename = real_rename ? real_rename : sys.rename;
	sys.rename = rename_without_noreplace;
	assert_exists_refused(temp->fd);
	sys.rename = real_rename;
}

static void a_folder_in_the_way_is_an_error(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *list = NULL;

	tempdir_mkdir(temp->fd, "f");
	assert_int_equal(replace_file(temp->fd, "f", view_of(NEW), 0644, NULL, 0, &err), -1);
	assert_int_equal(err.errnum, EISDIR);
	error_clear(&err);
	assert_int_equal(replace_delete(temp->fd, "f", 0, &err), -1);
	list = tempdir_list(temp->fd);
	assert_string_equal(list, "f\n");
}

static void deleting_what_is_not_there_is_told_by_its_errnum(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(replace_delete(temp->fd, "f", 0, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
}

static void names_of_255_bytes_with_any_byte_are_replaced(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;
	char name[256];

	for (int i = 0; i < 255; i++)
		name[i] = (char)(i + 1 == '/' ? 'x' : i + 1);
	name[255] = '\0';
	tempdir_put(temp->fd, name, OLD);
	assert_int_equal(replace_file(temp->fd, name, view_of(NEW), 0644, NULL, 0, &err), 0);
	text = tempdir_get(temp->fd, name);
	assert_string_equal(text, NEW);
}

static int syncs;
static int (*real_sync)(int fd);

static int counting_sync(int fd)
{
	syncs++;
	return real_sync(fd);
}

static void syncs_are_left_out_when_the_caller_batches_them(void **state)
{
	struct tempdir *temp = *state;
	static const unsigned flags[] = {0, REPLACE_NO_FILE_SYNC, REPLACE_NO_DIR_SYNC,
		REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC};
	static const int expected[] = {2, 1, 1, 0};

	real_sync = sys.sync;
	sys.sync = counting_sync;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		syncs = 0;
		assert_int_equal(
			replace_file(temp->fd, "f", view_of(NEW), 0644, NULL, flags[i], &err),
			0);
		assert_int_equal(syncs, expected[i]);
	}
	sys.sync = real_sync;
}

static void cleaning_removes_our_leftovers_and_nothing_else(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *list = NULL;

	tempdir_put(temp->fd, REPLACE_PREFIX "0123456789abcdef", "");
	tempdir_symlink("x", temp->fd, REPLACE_PREFIX "ffffffffffffffff");
	tempdir_put(temp->fd, REPLACE_PREFIX "notes", "");
	tempdir_put(temp->fd, REPLACE_PREFIX "0123456789ABCDEF", "");
	tempdir_put(temp->fd, "file", "");
	assert_int_equal(replace_clean(temp->fd, &err), 0);
	list = tempdir_list(temp->fd);
	assert_string_equal(
		list, REPLACE_PREFIX "0123456789ABCDEF\n" REPLACE_PREFIX "notes\nfile\n");
}

TESTS(IN_TEMPDIR(an_input_output_error_anywhere_leaves_old_or_new),
	IN_TEMPDIR(a_full_disk_anywhere_leaves_old_or_new),
	IN_TEMPDIR(a_kill_anywhere_leaves_old_or_new),
	IN_TEMPDIR(a_torn_write_leaves_old_or_new),
	IN_TEMPDIR(mode_and_times_are_as_asked_whatever_the_umask),
	IN_TEMPDIR(a_read_only_file_can_be_written_and_replaced),
	IN_TEMPDIR(a_link_is_replaced_and_its_target_left_alone),
	IN_TEMPDIR(what_must_be_new_does_not_replace),
	IN_TEMPDIR(a_folder_in_the_way_is_an_error),
	IN_TEMPDIR(deleting_what_is_not_there_is_told_by_its_errnum),
	IN_TEMPDIR(names_of_255_bytes_with_any_byte_are_replaced),
	IN_TEMPDIR(syncs_are_left_out_when_the_caller_batches_them),
	IN_TEMPDIR(cleaning_removes_our_leftovers_and_nothing_else))
