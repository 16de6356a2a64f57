#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "host/backup/restore_switch.h"
#include "tempdir.h"

/* Further than any of these goes. */
#define CALLS_MAX 200

/* --- a file system that cannot exchange two names ----------------------------- */

static int (*real_rename)(int, const char *, int, const char *, unsigned);

static int rename_only(int fromfd, const char *from, int tofd, const char *to, unsigned flags)
{
	if (flags & RENAME_EXCHANGE) {
		errno = EINVAL;
		return -1;
	}
	return real_rename(fromfd, from, tofd, to, flags);
}

static void cannot_exchange(void)
{
	real_rename = sys.rename;
	sys.rename = rename_only;
}

static void can_exchange(void)
{
	sys.rename = real_rename;
}

/* --- an installation, and the content that replaces it ------------------------ */

static void put_old(int root)
{
	tempdir_mkdir(root, "store");
	tempdir_put(root, "store/nanoclaw.db", "old");
	tempdir_put(root, "store/nanoclaw.db-wal", "old log");
	tempdir_mkdir(root, "groups");
	tempdir_put(root, "groups/old", "old");
}

static void put_stage(int root)
{
	tempdir_mkdir(root, "store/restore");
	tempdir_mkdir(root, "store/restore/stage");
	tempdir_mkdir(root, "store/restore/stage/store");
	tempdir_put(root, "store/restore/stage/store/nanoclaw.db", "new");
	tempdir_mkdir(root, "store/restore/stage/groups");
	tempdir_put(root, "store/restore/stage/groups/new", "new");
	tempdir_mkdir(root, "store/restore/stage/data");
	tempdir_put(root, "store/restore/stage/data/new", "new");
	tempdir_put(root, "store/restore/stage/.env", "A=1\n");
}

static void clear(int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(tree_remove(root, "store", &err), 0);
	assert_int_equal(tree_remove(root, "groups", &err), 0);
	assert_int_equal(tree_remove(root, "data", &err), 0);
	assert_int_equal(tree_remove(root, ".env", &err), 0);
}

static bool is(int root, const char *name, const char *content)
{
	CLEANUP(freep) char *found = tempdir_get(root, name);

	return content ? found && !strcmp(found, content) : !found;
}

static bool is_old(int root)
{
	return is(root, "store/nanoclaw.db", "old") &&
	       is(root, "store/nanoclaw.db-wal", "old log") && is(root, "groups/old", "old") &&
	       is(root, "groups/new", NULL) && is(root, "data/new", NULL);
}

static bool is_new(int root)
{
	return is(root, "store/nanoclaw.db", "new") &&
	       is(root, "store/nanoclaw.db-wal", NULL) && is(root, "groups/new", "new") &&
	       is(root, "groups/old", NULL) && is(root, "data/new", "new");
}

/* --- faults ------------------------------------------------------------------- */

typedef int (*operation)(int root, struct error *err);

/* Runs it in a separate process; true if it was not killed. */
static bool survives(int root, operation run, enum fault_mode mode, unsigned long at)
{
	pid_t pid;
	int status;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		unsigned long calls;
		int result;

		fault_arm(mode, at);
		result = run(root, &err);
		calls = fault_disarm();
		_exit(calls < at ? 0 : result < 0 ? 1 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), SIGKILL);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void recover(int root)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(restore_recover(root, &err), 0);
	assert_false(restore_is_pending(root));
}

/* After each fault in a restore, it is before or after; and after, it can be undone. */
static void restore_with_faults(int root, enum fault_mode mode)
{
	bool ended = false;

	for (unsigned long at = 1; !ended; at++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		assert_true(at < CALLS_MAX);
		put_old(root);
		put_stage(root);
		ended = survives(root, restore_switch, mode, at);
		recover(root);
		if (is_new(root)) {
			assert_true(is(root, ".env", "A=1\n"));
			assert_int_equal(restore_undo(root, &err), 0);
		} else {
			assert_false(ended);
			assert_true(is(root, ".env", NULL));
		}
		assert_true(is_old(root));
		clear(root);
	}
}

static void undo_with_faults(int root, enum fault_mode mode)
{
	bool ended = false;

	for (unsigned long at = 1; !ended; at++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;

		assert_true(at < CALLS_MAX);
		put_old(root);
		put_stage(root);
		assert_int_equal(restore_switch(root, &err), 0);
		ended = survives(root, restore_undo, mode, at);
		recover(root);
		assert_true(is_old(root) || (!ended && is_new(root)));
		clear(root);
	}
}

static void a_kill_leads_to_before_or_after(void **state)
{
	struct tempdir *temp = *state;

	restore_with_faults(temp->fd, FAULT_KILL);
	restore_with_faults(temp->fd, FAULT_TORN);
	undo_with_faults(temp->fd, FAULT_KILL);
}

static void an_error_leads_to_before_or_after(void **state)
{
	struct tempdir *temp = *state;

	restore_with_faults(temp->fd, FAULT_EIO);
	undo_with_faults(temp->fd, FAULT_EIO);
	restore_with_faults(temp->fd, FAULT_ENOSPC);
}

static void the_same_without_an_exchange_of_names(void **state)
{
	struct tempdir *temp = *state;

	cannot_exchange();
	restore_with_faults(temp->fd, FAULT_KILL);
	undo_with_faults(temp->fd, FAULT_KILL);
	restore_with_faults(temp->fd, FAULT_EIO);
	undo_with_faults(temp->fd, FAULT_EIO);
	can_exchange();
}

/* --- what else can be ---------------------------------------------------------- */

static void into_an_empty_place_and_back(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "store");
	put_stage(temp->fd);
	assert_int_equal(restore_switch(temp->fd, &err), 0);
	assert_true(is_new(temp->fd));
	assert_int_equal(restore_undo(temp->fd, &err), 0);
	assert_true(is(temp->fd, "store/nanoclaw.db", NULL));
	assert_true(is(temp->fd, "groups/new", NULL));
	assert_int_equal(restore_undo(temp->fd, &err), 0);
	assert_true(is_new(temp->fd));
}

static void env_is_never_overwritten_and_secrets_do_not_stay(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	put_old(temp->fd);
	put_stage(temp->fd);
	tempdir_put(temp->fd, ".env", "B=2\n");
	assert_int_equal(restore_switch(temp->fd, &err), 0);
	assert_true(is(temp->fd, ".env", "B=2\n"));
	assert_true(is(temp->fd, "store/restore/before/.env", NULL));
}

static void a_link_in_the_place_of_groups_is_refused(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	tempdir_mkdir(temp->fd, "store");
	tempdir_mkdir(temp->fd, "elsewhere");
	tempdir_symlink("elsewhere", temp->fd, "groups");
	put_stage(temp->fd);
	assert_int_equal(restore_switch(temp->fd, &err), -1);
	assert_string_equal(err.message, "'groups' is a symbolic link");
	assert_false(restore_is_pending(temp->fd));
	assert_true(is(temp->fd, "store/restore/stage/store/nanoclaw.db", "new"));
}

static void there_is_nothing_to_undo(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	put_old(temp->fd);
	assert_int_equal(restore_undo(temp->fd, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
	assert_true(is_old(temp->fd));
}

TESTS(IN_TEMPDIR(a_kill_leads_to_before_or_after),
	IN_TEMPDIR(an_error_leads_to_before_or_after),
	IN_TEMPDIR(the_same_without_an_exchange_of_names),
	IN_TEMPDIR(into_an_empty_place_and_back),
	IN_TEMPDIR(env_is_never_overwritten_and_secrets_do_not_stay),
	IN_TEMPDIR(a_link_in_the_place_of_groups_is_refused),
	IN_TEMPDIR(there_is_nothing_to_undo))
