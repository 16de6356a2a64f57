#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/commit/recovery.h"
#include "engine/disk/project.h"
#include "engine/state/state.h"

static char folder[] = "/tmp/nanoclaw-project-XXXXXX";

/* Is the process asleep? Then it waits for the lock. */
static bool is_asleep(pid_t pid)
{
	char path[64], text[256] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		_exit(1);
	close(fd);
	return strstr(text, ") S ") != NULL;
}

/* A nanoclaw that is killed while its child is on the way to another program. */
static void lock_and_die(int line, pid_t test)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = PROJECT_INIT;
	char c;

	if (project_open_folder(folder, &project, &err) < 0 || project_lock(&project, &err) < 0)
		_exit(1);
	if (!fork()) {
		if (read(line, &c, 1) != 1)
			_exit(1);
		while (!is_asleep(test))
			;
		_exit(0);
	}
	raise(SIGKILL);
}

static void the_lock_of_a_killed_process_is_free_in_a_moment(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	pid_t test = getpid(), killed;
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	killed = fork();
	if (!killed)
		lock_and_die(ends[1], test);
	assert_int_equal(waitpid(killed, NULL, 0), killed);
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(write(ends[0], "x", 1), 1);
	assert_int_equal(project_lock(&project, &err), 0);
	close(ends[0]);
	close(ends[1]);
}

static void a_lock_that_somebody_has_is_busy(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(project_release) struct project other = PROJECT_INIT;

	(void)state;
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(project_open_folder(folder, &other, &err), 0);
	assert_int_equal(project_lock(&project, &err), 0);
	assert_int_equal(project_lock(&other, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
}

/* Between fork() and the next program, a child has the lock. A busy machine takes its time. */
static void the_lock_of_a_killed_process_is_waited_for(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct timespec longer = {.tv_sec = 1, .tv_nsec = 500 * 1000 * 1000};
	pid_t killed = fork();

	(void)state;
	if (!killed) {
		if (project_open_folder(folder, &project, &err) < 0 ||
			project_lock(&project, &err) < 0)
			_exit(1);
		if (!fork()) {
			nanosleep(&longer, NULL);
			_exit(0);
		}
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(killed, NULL, 0), killed);
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(project_lock(&project, &err), 0);
}

/* As another user: hold all that can be held, say so, and wait for the end. */
static void hold_as_another_user(int line)
{
	int root, lock;

	if (setgid(65534) < 0 || setuid(65534) < 0 || chdir(folder) < 0)
		_exit(1);
	root = open(".", O_RDONLY);
	lock = open(".nanoclaw/lock", O_RDONLY);
	if (root < 0 || flock(root, LOCK_EX) < 0 || lock >= 0 || write(line, "x", 1) != 1)
		_exit(1);
	pause();
	_exit(0);
}

static void another_user_cannot_hold_the_lock(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	int ends[2];
	pid_t other;
	char c;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(project_lock(&project, &err), 0);
	project_unlock(&project);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	other = fork();
	if (!other)
		hold_as_another_user(ends[1]);
	close(ends[1]);
	assert_int_equal(read(ends[0], &c, 1), 1);
	assert_int_equal(project_lock(&project, &err), 0);
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
	close(ends[0]);
}

/* Under sudo, and where a group shares the project. */
static void those_who_may_write_the_folder_may_lock_it(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct stat st;

	(void)state;
	if (geteuid())
		skip();
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(fchownat(project.root, ".nanoclaw", 65534, 65533, 0), 0);
	assert_int_equal(fchmodat(project.root, ".nanoclaw", 0775, 0), 0);
	assert_int_equal(project_lock(&project, &err), 0);
	assert_int_equal(fstatat(project.root, ".nanoclaw/lock", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0660);
	assert_int_equal(st.st_uid, 65534);
	assert_int_equal(st.st_gid, 65533);
	assert_int_equal(geteuid(), 0);
}

/* Another process removed .nanoclaw, with the file that it had locked. */
static void a_lock_file_that_was_removed_is_no_lock(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project first = PROJECT_INIT;
	CLEANUP(project_release) struct project second = PROJECT_INIT;
	CLEANUP(project_release) struct project third = PROJECT_INIT;

	(void)state;
	assert_int_equal(project_open_folder(folder, &first, &err), 0);
	assert_int_equal(project_open_folder(folder, &second, &err), 0);
	assert_int_equal(project_open_folder(folder, &third, &err), 0);
	assert_int_equal(project_lock(&first, &err), 0);
	project_remove_nanoclaw(&first);
	assert_int_equal(mkdirat(first.root, ".nanoclaw", 0755), 0);
	assert_int_equal(project_lock(&second, &err), 0);
	assert_int_equal(project_lock(&third, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
}

static void of_two_first_operations_one_is_busy(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project first = PROJECT_INIT;
	CLEANUP(project_release) struct project second = PROJECT_INIT;
	bool created;

	(void)state;
	assert_int_equal(project_open_folder(folder, &first, &err), 0);
	assert_int_equal(unlinkat(first.root, ".nanoclaw", AT_REMOVEDIR), 0);
	assert_int_equal(project_open_folder(folder, &second, &err), 0);
	assert_int_equal(project_lock(&first, &err), 0);
	assert_int_equal(project_lock(&second, &err), 0);
	assert_int_equal(project_make_nanoclaw(&first, &created, &err), 0);
	assert_true(created);
	assert_int_equal(project_make_nanoclaw(&second, &created, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
}

/* It has the lock of a .nanoclaw that it removed, and another has made one since. */
static void the_lock_of_a_removed_folder_is_not_that_of_the_next(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project first = PROJECT_INIT;
	CLEANUP(project_release) struct project second = PROJECT_INIT;
	bool created;

	(void)state;
	assert_int_equal(project_open_folder(folder, &first, &err), 0);
	assert_int_equal(project_open_folder(folder, &second, &err), 0);
	assert_int_equal(project_lock(&first, &err), 0);
	project_remove_nanoclaw(&first);
	assert_int_equal(project_lock(&second, &err), 0);
	assert_int_equal(project_make_nanoclaw(&second, &created, &err), 0);
	assert_int_equal(project_make_nanoclaw(&first, &created, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
}

/* An operation without a lock, because there was no .nanoclaw to lock. */
static void what_another_operation_does_is_not_undone(void **state)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project first = PROJECT_INIT;
	CLEANUP(project_release) struct project second = PROJECT_INIT;
	bool created;

	(void)state;
	assert_int_equal(project_open_folder(folder, &first, &err), 0);
	assert_int_equal(unlinkat(first.root, ".nanoclaw", AT_REMOVEDIR), 0);
	assert_int_equal(project_open_folder(folder, &second, &err), 0);
	assert_int_equal(project_lock(&first, &err), 0);
	assert_int_equal(project_lock(&second, &err), 0);
	assert_int_equal(project_make_nanoclaw(&first, &created, &err), 0);
	assert_int_equal(recovery_run(&second, &recovery, &err), 0);
	assert_int_equal(faccessat(first.root, ".nanoclaw/lock", F_OK, 0), 0);
	assert_int_equal(mkdirat(first.root, ".nanoclaw/tx", 0755), 0);
	assert_int_equal(recovery_run(&second, &recovery, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
	assert_int_equal(unlinkat(first.root, ".nanoclaw/tx", AT_REMOVEDIR), 0);
}

/* The state is the last thing that the first operation puts there. */
static void of_two_first_operations_none_sees_half_of_the_other(void **data)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project first = PROJECT_INIT;
	CLEANUP(project_release) struct project second = PROJECT_INIT;
	CLEANUP(project_release) struct project reader = PROJECT_INIT;
	CLEANUP(state_release) struct state state = STATE_INIT;
	bool created, found;

	(void)data;
	assert_int_equal(project_open_folder(folder, &first, &err), 0);
	assert_int_equal(unlinkat(first.root, ".nanoclaw", AT_REMOVEDIR), 0);
	assert_int_equal(project_open_folder(folder, &second, &err), 0);
	assert_int_equal(project_open_folder(folder, &reader, &err), 0);
	assert_int_equal(project_lock(&first, &err), 0);
	assert_int_equal(project_lock(&second, &err), 0);
	assert_int_equal(project_make_nanoclaw(&first, &created, &err), 0);
	assert_int_equal(state_load(&second, &state, &found, &err), 0);
	assert_false(found);
	assert_int_equal(mkdirat(first.root, ".nanoclaw/tx", 0755), 0);
	assert_int_equal(mkdirat(first.root, ".nanoclaw/tx/saved", 0755), 0);
	assert_int_equal(mkdirat(first.root, ".nanoclaw/base", 0755), 0);
	assert_int_equal(mkdirat(first.root, ".nanoclaw/base/src", 0755), 0);
	assert_int_equal(state_load(&second, &state, &found, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
	error_clear(&err);
	assert_int_equal(state_load(&reader, &state, &found, &err), 0);
	assert_false(found);
	assert_int_equal(unlinkat(first.root, ".nanoclaw/tx/saved", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(first.root, ".nanoclaw/tx", AT_REMOVEDIR), 0);
	assert_int_equal(state_load(&first, &state, &found, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_int_equal(unlinkat(first.root, ".nanoclaw/base/src", AT_REMOVEDIR), 0);
	assert_int_equal(unlinkat(first.root, ".nanoclaw/base", AT_REMOVEDIR), 0);
}

/* A command that recovers takes the new folder for a leftover: it goes away again. */
static void an_empty_folder_that_another_command_left_is_taken(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project first = PROJECT_INIT;
	CLEANUP(project_release) struct project second = PROJECT_INIT;
	bool created;
	int fd;

	(void)state;
	assert_int_equal(project_open_folder(folder, &first, &err), 0);
	assert_int_equal(project_open_folder(folder, &second, &err), 0);
	assert_int_equal(unlinkat(first.root, ".nanoclaw", AT_REMOVEDIR), 0);
	assert_int_equal(project_lock(&first, &err), 0);
	assert_int_equal(mkdirat(first.root, ".nanoclaw", 0755), 0);
	assert_int_equal(project_make_nanoclaw(&first, &created, &err), 0);
	assert_true(created);
	fd = project_try_lock(&second);
	assert_int_equal(fd, -1);
	assert_int_equal(project_check_lock(&first, &err), 0);
}

/* One process makes .nanoclaw and removes it, again and again. */
static void a_folder_that_another_operation_removes_needs_no_recovery(void **state)
{
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	pid_t other;

	(void)state;
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(unlinkat(project.root, ".nanoclaw", AT_REMOVEDIR), 0);
	assert_int_equal(project_lock(&project, &err), 0);
	other = fork();
	if (!other)
		for (;;) {
			mkdirat(project.root, ".nanoclaw", 0755);
			unlinkat(project.root, ".nanoclaw", AT_REMOVEDIR);
		}
	for (int i = 0; i < 20000; i++)
		if (recovery_run(&project, &recovery, &err) < 0)
			break;
	kill(other, SIGKILL);
	assert_int_equal(waitpid(other, NULL, 0), other);
	assert_string_equal(err.message ? err.message : "", "");
}

static void the_process_with_the_lock_is_found_by_device_and_inode(void **state)
{
	char text[] = "1: POSIX  ADVISORY  WRITE 11 fd:01:77 0 EOF\n"
		      "2: FLOCK  ADVISORY  WRITE 12 00:1a:77 0 EOF\n"
		      "2: -> FLOCK  ADVISORY  WRITE 13 fd:01:77 0 EOF\n"
		      "3: FLOCK  ADVISORY  WRITE 14 fd:01:77 0 EOF\n";
	struct stat st = {.st_ino = 77, .st_dev = makedev(0xfd, 1)};
	FILE *locks = fmemopen(text, strlen(text), "r");

	(void)state;
	assert_int_equal(lock_find_holder(locks, &st), 14);
	rewind(locks);
	/* As on btrfs, where the kernel's list has another device. */
	st.st_dev = makedev(0, 99);
	assert_int_equal(lock_find_holder(locks, &st), 12);
	rewind(locks);
	st.st_ino = 78;
	assert_int_equal(lock_find_holder(locks, &st), 0);
	fclose(locks);
}

/* Its lock was committed to git, which gives it to everybody to read. */
static void the_lock_of_a_clone_is_for_its_owner_alone(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(closep) int lock = -1;
	struct stat st;

	(void)state;
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	lock = openat(project.root, ".nanoclaw/lock", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(fchmod(lock, 0644), 0);
	assert_int_equal(project_lock(&project, &err), 0);
	assert_int_equal(fstat(lock, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

static void write_state(const struct project *project)
{
	CLEANUP(closep)
	int fd = openat(project->root, ".nanoclaw/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(
		renameat(project->root, ".nanoclaw/new", project->root, ".nanoclaw/state.yaml"),
		0);
}

static int open_for_reading(struct project *ret_project, bool *ret_running, struct error *err)
{
	*ret_running = false;
	return project_open_folder(folder, ret_project, err);
}

/* One letter for each time that it reads: an operation begins, ends, or did both. */
struct reading {
	const char *operations;
	int calls;
	bool running;
};

static int read_beside_operations(
	const struct project *project, bool running, void *data, struct error *err)
{
	struct reading *r = data;
	int root = project->root;

	r->running = running;
	switch (r->operations[r->calls] ? r->operations[r->calls++] : '.') {
	case '(':
		assert_int_equal(mkdirat(root, ".nanoclaw/tx", 0755), 0);
		break;
	case ')':
		assert_int_equal(unlinkat(root, ".nanoclaw/tx", AT_REMOVEDIR), 0);
		break;
	case 'x':
		write_state(project);
		break;
	case '.':
		r->calls++;
		return 0;
	}
	return error_set(err, ERROR_INVALID, "half of it");
}

static void assert_read(const char *operations, int calls, bool running, int result)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	struct reading r = {.operations = operations};

	assert_int_equal(project_read_still(
				 &project, open_for_reading, read_beside_operations, &r, &err),
		result);
	assert_int_equal(r.calls, calls);
	assert_int_equal(r.running, running);
	assert_true(project.root >= 0);
}

static void a_reader_reads_again_if_an_operation_gets_in_the_way(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;

	(void)state;
	assert_read("", 1, false, 0);
	assert_read("x", 2, false, 0);
	assert_read("(", 2, false, 0);
	assert_read(")", 2, false, 0);
	assert_read("x(x)", 5, false, 0);
	/* There is no end to it. */
	assert_read("xxxxxxx", 6, true, -1);
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(unlinkat(project.root, ".nanoclaw/state.yaml", 0), 0);
}

static int make_folder(void **state)
{
	CLEANUP(freep) char *nanoclaw = NULL;

	(void)state;
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	if (!mkdtemp(folder))
		return -1;
	nanoclaw = xasprintf("%s/.nanoclaw", folder);
	return mkdir(nanoclaw, 0755);
}

static int remove_folder(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;

	(void)state;
	if (project_open_folder(folder, &project, &err) < 0)
		return -1;
	project_remove_nanoclaw(&project);
	return rmdir(folder);
}

TESTS(cmocka_unit_test_setup_teardown(
	      the_lock_of_a_killed_process_is_free_in_a_moment, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		the_lock_of_a_killed_process_is_waited_for, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		another_user_cannot_hold_the_lock, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		those_who_may_write_the_folder_may_lock_it, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		a_lock_file_that_was_removed_is_no_lock, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		of_two_first_operations_one_is_busy, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(the_lock_of_a_removed_folder_is_not_that_of_the_next,
		make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		what_another_operation_does_is_not_undone, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(of_two_first_operations_none_sees_half_of_the_other,
		make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		an_empty_folder_that_another_command_left_is_taken, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		a_folder_that_another_operation_removes_needs_no_recovery, make_folder,
		remove_folder),
	cmocka_unit_test(the_process_with_the_lock_is_found_by_device_and_inode),
	cmocka_unit_test_setup_teardown(
		the_lock_of_a_clone_is_for_its_owner_alone, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(a_reader_reads_again_if_an_operation_gets_in_the_way,
		make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		a_lock_that_somebody_has_is_busy, make_folder, remove_folder))
