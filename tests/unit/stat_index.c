#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/base.h"
#include "engine/disk/stat_index.h"
#include "engine/session/drift.h"
#include "fault.h"
#include "tempdir.h"

/* As if the search had begun then: all that is there is older. */
#define LATER 1000

static struct project project_in(const struct tempdir *temp)
{
	return (struct project){.path = temp->path, .root = temp->fd};
}

static void make_project(const struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_mkdir(temp->fd, ".nanoclaw/base");
	tempdir_put(temp->fd, ".nanoclaw/base/a", "one");
	tempdir_put(temp->fd, ".nanoclaw/base/b", "one");
	tempdir_put(temp->fd, "a", "one");
	tempdir_put(temp->fd, "b", "one");
}

static int open_base(const struct tempdir *temp)
{
	int fd = openat(temp->fd, ".nanoclaw/base", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static struct stat look(const struct tempdir *temp, const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(temp->fd, name, &st, AT_SYMLINK_NOFOLLOW), 0);
	return st;
}

static void set_mtime(const struct tempdir *temp, const char *name, struct timespec time)
{
	const struct timespec times[2] = {time, time};

	assert_int_equal(utimensat(temp->fd, name, times, 0), 0);
}

/* Write an index that says that `a` is like its copy, and that was begun at `began`. */
static void save_index(const struct tempdir *temp, struct timespec began)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	CLEANUP(closep) int base = open_base(temp);
	struct project project = project_in(temp);
	struct stat st = look(temp, "a");

	assert_int_equal(stat_index_collect(&index, base, &err), 0);
	assert_int_equal(index.count, 2);
	index.began.tv_sec += LATER;
	stat_index_note(&index, &index.entries[0], "a", &st, NULL);
	index.began = began;
	index.changed = true;
	stat_index_save(&index, &project);
	set_mtime(temp, ".nanoclaw/index", (struct timespec){began.tv_sec + LATER, 5});
}

static struct timespec later(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec += LATER;
	return now;
}

static bool index_knows_a(const struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	CLEANUP(closep) int base = open_base(temp);
	struct project project = project_in(temp);
	struct stat st = look(temp, "a");

	assert_int_equal(stat_index_open(&index, &project, base, &err), 0);
	assert_string_equal(stat_index_path(&index, &index.entries[0]), "a");
	return stat_index_knows(&index.entries[0], &st, NULL);
}

static size_t count_drift(const struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(drift_list_release) struct drift_list list = DRIFT_LIST_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	struct project project = project_in(temp);

	state_init(&state, "1.0.0");
	assert_int_equal(drift_find(&project, &state, &list, &err), 0);
	return list.count;
}

static void what_was_noted_is_known(void **state)
{
	struct tempdir *temp = *state;

	make_project(temp);
	assert_false(index_knows_a(temp));
	save_index(temp, later());
	assert_true(index_knows_a(temp));
}

/* The index says that a changed file is unchanged: the file is not read. */
static void a_known_file_is_not_read(void **state)
{
	struct tempdir *temp = *state;

	make_project(temp);
	tempdir_put(temp->fd, "a", "two");
	assert_int_equal(count_drift(temp), 1);
	save_index(temp, later());
	assert_int_equal(count_drift(temp), 0);
}

static void a_file_as_young_as_the_index_does_not_count(void **state)
{
	struct tempdir *temp = *state;

	make_project(temp);
	tempdir_put(temp->fd, "a", "two");
	save_index(temp, look(temp, "a").st_ctim);
	assert_false(index_knows_a(temp));
	assert_int_equal(count_drift(temp), 1);
	/* A later index, which copies entries from this one, does not know `a` either. */
	assert_int_equal(count_drift(temp), 1);
}

static void an_index_file_that_is_older_than_the_file_does_not_count(void **state)
{
	struct tempdir *temp = *state;

	make_project(temp);
	save_index(temp, later());
	set_mtime(temp, ".nanoclaw/index", look(temp, "a").st_ctim);
	assert_false(index_knows_a(temp));
}

static void an_edit_with_the_old_size_and_time_is_found(void **state)
{
	struct tempdir *temp = *state;
	struct stat before;

	make_project(temp);
	before = look(temp, "a");
	save_index(temp, later());
	/* Until the clock that dates files has moved on. */
	do {
		tempdir_put(temp->fd, "a", "two");
		set_mtime(temp, "a", before.st_mtim);
	} while (look(temp, "a").st_ctim.tv_sec == before.st_ctim.tv_sec &&
		 look(temp, "a").st_ctim.tv_nsec == before.st_ctim.tv_nsec);
	assert_int_equal(look(temp, "a").st_size, before.st_size);
	assert_int_equal(count_drift(temp), 1);
}

/* Whatever the clock does, no edit right after a search may be missed. */
static void edits_within_a_tick_are_found(void **state)
{
	struct tempdir *temp = *state;
	struct timespec same;

	make_project(temp);
	same = look(temp, "a").st_mtim;
	for (int i = 0; i < 300; i++) {
		tempdir_put(temp->fd, "a", i % 2 ? "one" : "two");
		set_mtime(temp, "a", same);
		assert_int_equal(count_drift(temp), i % 2 ? 0 : 1);
	}
}

/* The tree becomes the base, as 'init' does it, and its index is written. */
static void copy_base(const struct tempdir *temp)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	CLEANUP(closep) int base = -1;
	struct project project = project_in(temp);
	struct base_copy_result copied;

	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_mkdir(temp->fd, ".nanoclaw/base");
	base = open_base(temp);
	assert_int_equal(base_copy(temp->fd, base, &index, &copied, &err), 0);
	stat_index_save_copied(&index, &project);
}

/* Until the clock that dates files has moved on. */
static void leave_tick_of(const struct tempdir *temp, const char *name)
{
	struct timespec then = look(temp, name).st_ctim, now;

	do
		now = stat_index_clock();
	while (now.tv_sec == then.tv_sec && now.tv_nsec <= then.tv_nsec);
}

static void a_file_that_was_copied_is_known(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "a", "one");
	tempdir_mkdir(temp->fd, "d");
	tempdir_put(temp->fd, "d/b", "one");
	tempdir_symlink("a", temp->fd, "d/link");
	leave_tick_of(temp, "d/link");
	copy_base(temp);
	assert_true(index_knows_a(temp));
	/* The copies are not read; otherwise all files would differ. */
	tempdir_put(temp->fd, ".nanoclaw/base/a", "two");
	tempdir_put(temp->fd, ".nanoclaw/base/d/b", "two");
	assert_int_equal(count_drift(temp), 0);
	tempdir_put(temp->fd, "d/b", "new one");
	assert_int_equal(count_drift(temp), 1);
}

static void a_file_that_is_as_young_as_its_copy_is_not_known(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	struct project project = project_in(temp);
	struct stat st;

	make_project(temp);
	st = look(temp, "a");
	stat_index_begin_copy(&index);
	stat_index_add_copied(&index, "a", &st, st.st_ctim);
	stat_index_add_copied(&index, "b", &st, st.st_ctim);
	leave_tick_of(temp, "b");
	stat_index_save_copied(&index, &project);
	assert_true(tempdir_exists(temp->fd, ".nanoclaw/index"));
	assert_false(index_knows_a(temp));
}

static void edits_right_after_copying_are_found(void **state)
{
	struct tempdir *temp = *state;

	tempdir_put(temp->fd, "a", "one");
	copy_base(temp);
	tempdir_put(temp->fd, "a", "two");
	assert_int_equal(count_drift(temp), 1);
}

static void a_changed_base_drops_the_index(void **state)
{
	struct tempdir *temp = *state;

	make_project(temp);
	save_index(temp, later());
	tempdir_put(temp->fd, ".nanoclaw/base/c", "new");
	set_mtime(temp, ".nanoclaw/base", (struct timespec){1, 1});
	assert_false(index_knows_a(temp));
	assert_int_equal(count_drift(temp), 1);
}

static void a_damaged_index_is_ignored(void **state)
{
	struct tempdir *temp = *state;
	struct stat st;

	make_project(temp);
	save_index(temp, later());
	st = look(temp, ".nanoclaw/index");
	for (off_t at = 0; at < st.st_size; at++) {
		CLEANUP(closep)
		int fd = openat(temp->fd, ".nanoclaw/index", O_RDWR | O_CLOEXEC);
		char byte;

		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 1;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		set_mtime(temp, ".nanoclaw/index", later());
		assert_false(index_knows_a(temp));
		byte ^= 1;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	}
	set_mtime(temp, ".nanoclaw/index", later());
	assert_true(index_knows_a(temp));
}

/* The content of the index: nothing, the old content, or that `a` equals the base. */
enum index_is {
	INDEX_NONE,
	INDEX_OLD,
	INDEX_NEW,
};

static enum index_is index_in(const struct tempdir *temp, off_t old_size)
{
	struct stat st;

	if (fstatat(temp->fd, ".nanoclaw/index", &st, AT_SYMLINK_NOFOLLOW) < 0)
		return INDEX_NONE;
	if (st.st_size == old_size)
		return INDEX_OLD;
	set_mtime(temp, ".nanoclaw/index", later());
	assert_true(index_knows_a(temp));
	return INDEX_NEW;
}

/* A search that writes an index, with a fault at its Nth call. Returns how many it made. */
static unsigned long search_with_fault(
	const struct tempdir *temp, enum fault_mode mode, unsigned long at)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	CLEANUP(closep) int base = open_base(temp);
	struct project project = project_in(temp);
	struct stat st = look(temp, "a");

	assert_int_equal(stat_index_open(&index, &project, base, &err), 0);
	index.began = later();
	stat_index_note(&index, &index.entries[0], "a", &st, NULL);
	index.changed = true;
	fault_arm(mode, at);
	stat_index_save(&index, &project);
	return fault_disarm();
}

/* In a child, because it may be killed. True if it was not. */
static bool survives(const struct tempdir *temp, enum fault_mode mode, unsigned long at)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (!pid) {
		search_with_fault(temp, mode, at);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status))
		assert_int_equal(WEXITSTATUS(status), 0);
	else
		assert_int_equal(WTERMSIG(status), SIGKILL);
	return WIFEXITED(status);
}

#define OLD_INDEX "no index, but an old one"

static void put_old_index(const struct tempdir *temp, bool present)
{
	unlinkat(temp->fd, ".nanoclaw/index", 0);
	unlinkat(temp->fd, ".nanoclaw/index.new", 0);
	if (present)
		tempdir_put(temp->fd, ".nanoclaw/index", OLD_INDEX);
}

/* After any fault the index is the old or the new one, and the next search is right. */
static void no_fault_leaves_half_an_index(void **state)
{
	static const enum fault_mode modes[] = {
		FAULT_KILL, FAULT_TORN, FAULT_EIO, FAULT_ENOSPC};
	struct tempdir *temp = *state;
	unsigned long calls;

	make_project(temp);
	search_with_fault(temp, FAULT_COUNT, 0); /* makes the file that is locked */
	put_old_index(temp, false);
	calls = search_with_fault(temp, FAULT_COUNT, 0);
	assert_true(calls >= 4);
	for (size_t i = 0; i < ARRAY_SIZE(modes) * 2; i++) {
		enum fault_mode mode = modes[i / 2];
		bool deadly = mode == FAULT_KILL || mode == FAULT_TORN, old = i % 2;

		for (unsigned long at = 1; at <= calls; at++) {
			put_old_index(temp, old);
			assert_int_equal(survives(temp, mode, at), !deadly);
			if (index_in(temp, strlen(OLD_INDEX)) != INDEX_NEW)
				assert_int_equal(index_in(temp, strlen(OLD_INDEX)),
					old ? INDEX_OLD : INDEX_NONE);
			assert_int_equal(count_drift(temp), 0);
			/* The remains of a killed process do no harm. */
			search_with_fault(temp, FAULT_COUNT, 0);
			assert_int_equal(index_in(temp, strlen(OLD_INDEX)), INDEX_NEW);
			assert_int_equal(
				faccessat(temp->fd, ".nanoclaw/index.new", F_OK, 0), -1);
		}
	}
}

static void nothing_is_saved_if_that_is_switched_off(void **state)
{
	struct tempdir *temp = *state;

	make_project(temp);
	stat_index_saving = false;
	assert_int_equal(search_with_fault(temp, FAULT_COUNT, 0), 0);
	stat_index_saving = true;
	assert_int_equal(index_in(temp, 0), INDEX_NONE);
}

/* Enough for several threads; each has a part that begins and ends somewhere. */
#define SWEPT 2500

static void a_sweep_finds_an_edit_wherever_it_is(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(stat_index_release) struct stat_index index = STAT_INDEX_INIT;
	struct tempdir *temp = *state;
	CLEANUP(closep) int base = -1;
	bool *unchanged;

	tempdir_mkdir(temp->fd, "d");
	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_mkdir(temp->fd, ".nanoclaw/base");
	tempdir_mkdir(temp->fd, ".nanoclaw/base/d");
	for (int i = 0; i < SWEPT; i++) {
		CLEANUP(freep)
		char *path = xasprintf(".nanoclaw/base/%sf%d", i % 2 ? "d/" : "", i);

		tempdir_put(temp->fd, path, "one");
		tempdir_put(temp->fd, path + strlen(".nanoclaw/base/"), "one");
	}
	base = open_base(temp);
	assert_int_equal(stat_index_collect(&index, base, &err), 0);
	assert_int_equal(index.count, SWEPT);
	index.began = later();
	for (size_t i = 0; i < index.count; i++) {
		const char *path = stat_index_path(&index, &index.entries[i]);
		struct stat st = look(temp, path);

		/* Every tenth is as nobody has ever looked at it. */
		if (i % 10)
			stat_index_note(&index, &index.entries[i], path, &st, NULL);
	}
	for (size_t i = 0; i < index.count; i += 3)
		tempdir_put(temp->fd, stat_index_path(&index, &index.entries[i]), "other");
	unchanged = stat_index_sweep(&index, temp->fd);
	for (size_t i = 0; i < index.count; i++)
		assert_int_equal(unchanged[i], i % 10 && i % 3);
	free(unchanged);
}

TESTS(IN_TEMPDIR(what_was_noted_is_known), IN_TEMPDIR(a_sweep_finds_an_edit_wherever_it_is),
	IN_TEMPDIR(a_known_file_is_not_read),
	IN_TEMPDIR(a_file_as_young_as_the_index_does_not_count),
	IN_TEMPDIR(an_index_file_that_is_older_than_the_file_does_not_count),
	IN_TEMPDIR(an_edit_with_the_old_size_and_time_is_found),
	IN_TEMPDIR(edits_within_a_tick_are_found), IN_TEMPDIR(a_file_that_was_copied_is_known),
	IN_TEMPDIR(a_file_that_is_as_young_as_its_copy_is_not_known),
	IN_TEMPDIR(edits_right_after_copying_are_found),
	IN_TEMPDIR(a_changed_base_drops_the_index), IN_TEMPDIR(a_damaged_index_is_ignored),
	IN_TEMPDIR(no_fault_leaves_half_an_index),
	IN_TEMPDIR(nothing_is_saved_if_that_is_switched_off))
