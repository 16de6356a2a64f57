/*
 * T7: files that commands change between the rounds of a transaction.
 */
#include "test.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/commit/recovery.h"
#include "engine/disk/rollback.h"
#include "engine/disk/transaction.h"
#include "fault.h"
#include "fs/tree.h"
#include "tempdir.h"

#define STATE  ".nanoclaw/state.yaml"
#define OBJECT ".nanoclaw/objects/ab/cd"

static const char *const exposed[] = {"package.json", "lock", "new-lock"};

static struct project project_in(const struct tempdir *temp)
{
	return (struct project){.path = temp->path, .root = temp->fd};
}

static struct relpath path(const char *text)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct relpath ret = RELPATH_INIT;

	assert_int_equal(relpath_parse(view_of(text), &ret, &err), 0);
	return ret;
}

static int put(struct transaction *tx, const char *name, const char *content, struct error *err)
{
	CLEANUP(relpath_release) struct relpath p = path(name);

	return transaction_put(tx, &p, view_of(content), 0644, err);
}

static void make_tree(const struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_put(temp->fd, STATE, "before");
	tempdir_put(temp->fd, "package.json", "{}");
	tempdir_put(temp->fd, "lock", "locked");
}

/* The first round. */
static int begin(const struct project *project, struct transaction **ret_tx, struct error *err)
{
	CLEANUP(transaction_freep) struct transaction *tx = transaction_new(project, "test");
	CLEANUP(relpath_release) struct relpath state = path(STATE);
	CLEANUP(relpath_release) struct relpath modules = path("node_modules");

	if (put(tx, "package.json", "{\"a\": 1}", err) < 0 || put(tx, STATE, "first", err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(exposed); i++) {
		CLEANUP(relpath_release) struct relpath p = path(exposed[i]);

		if (transaction_expose(tx, &p, err) < 0)
			return -1;
	}
	if (transaction_expose(tx, &state, err) < 0 ||
		transaction_expose_folder(tx, &modules, err) < 0 ||
		transaction_apply(tx, err) < 0)
		return -1;
	*ret_tx = TAKE(tx);
	return 0;
}

/* What a package manager does: it writes into the files that it finds. */
static void install(int fd)
{
	tempdir_put(fd, "lock", "locked, with a");
	tempdir_put(fd, "new-lock", "made");
	tempdir_mkdir(fd, "node_modules");
	tempdir_mkdir(fd, "node_modules/a");
	tempdir_put(fd, "node_modules/a/index.js", "a");
	tempdir_symlink("../..", fd, "node_modules/up");
}

/* The second round. */
static int go_on(struct transaction *tx, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(exposed); i++) {
		CLEANUP(relpath_release) struct relpath p = path(exposed[i]);
		CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
		bool changed;

		if (transaction_adopt(tx, &p, &file, &changed, err) < 0)
			return -1;
		assert_int_equal(changed, i > 0);
		assert_int_equal(file.kind, TX_FILE);
	}
	if (put(tx, OBJECT, "locked, with a", err) < 0 || put(tx, STATE, "second", err) < 0)
		return -1;
	return transaction_apply(tx, err);
}

static void assert_file(int fd, const char *name, const char *content)
{
	CLEANUP(freep) char *found = tempdir_get(fd, name);

	assert_non_null(found);
	assert_string_equal(found, content);
}

static void assert_before(int fd)
{
	assert_file(fd, STATE, "before");
	assert_file(fd, "package.json", "{}");
	assert_file(fd, "lock", "locked");
	assert_false(tempdir_exists(fd, "new-lock"));
	assert_false(tempdir_exists(fd, "node_modules"));
	assert_false(tempdir_exists(fd, ".nanoclaw/objects"));
	assert_false(tempdir_exists(fd, ".nanoclaw/tx"));
}

static void assert_after(int fd)
{
	assert_file(fd, STATE, "second");
	assert_file(fd, "package.json", "{\"a\": 1}");
	assert_file(fd, "lock", "locked, with a");
	assert_file(fd, "new-lock", "made");
	assert_file(fd, "node_modules/a/index.js", "a");
	assert_file(fd, OBJECT, "locked, with a");
	assert_false(tempdir_exists(fd, ".nanoclaw/tx"));
	assert_false(tempdir_exists(fd, ".nanoclaw/kept"));
}

static void both_rounds_come_with_the_commit(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(transaction_freep) struct transaction *tx = NULL;
	struct project project = project_in(temp);

	make_tree(temp);
	assert_int_equal(begin(&project, &tx, &err), 0);
	install(temp->fd);
	assert_int_equal(go_on(tx, &err), 0);
	assert_int_equal(transaction_commit(tx, TRANSACTION_DONE, view_of(""), &err), 0);
	assert_after(temp->fd);
}

static void both_rounds_go_with_the_rollback(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(transaction_freep) struct transaction *tx = NULL;
	CLEANUP(kept_list_release) struct kept_list kept = KEPT_LIST_INIT;
	struct project project = project_in(temp);
	struct stat was, is;

	make_tree(temp);
	assert_int_equal(fstatat(temp->fd, "lock", &was, 0), 0);
	assert_int_equal(begin(&project, &tx, &err), 0);
	install(temp->fd);
	assert_int_equal(go_on(tx, &err), 0);
	assert_int_equal(transaction_rollback(tx, &kept, &err), 0);
	assert_before(temp->fd);
	assert_int_equal(kept.count, 0);
	/* It is the very file, which the command could not reach. */
	assert_int_equal(fstatat(temp->fd, "lock", &is, 0), 0);
	assert_int_equal(was.st_ino, is.st_ino);
	assert_int_equal(was.st_mtim.tv_nsec, is.st_mtim.tv_nsec);
}

static void after_a_crash_in_the_command_all_is_back_and_what_was_found_is_kept(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(transaction_freep) struct transaction *tx = NULL;
	CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
	struct project project = project_in(temp);

	make_tree(temp);
	assert_int_equal(begin(&project, &tx, &err), 0);
	install(temp->fd);
	transaction_abandon(tx);
	assert_int_equal(recovery_run(&project, &recovery, &err), 0);
	assert_before(temp->fd);
	assert_int_equal(recovery.kept.count, 2);
	assert_file(temp->fd, ".nanoclaw/kept/lock", "locked, with a");
	assert_file(temp->fd, ".nanoclaw/kept/new-lock", "made");
}

static void a_file_that_the_command_removed_is_back(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(transaction_freep) struct transaction *tx = NULL;
	CLEANUP(relpath_release) struct relpath lock = path("lock");
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;
	struct project project = project_in(temp);
	bool changed;

	make_tree(temp);
	assert_int_equal(begin(&project, &tx, &err), 0);
	assert_int_equal(unlinkat(temp->fd, "lock", 0), 0);
	assert_int_equal(transaction_adopt(tx, &lock, &file, &changed, &err), 0);
	assert_int_equal(file.kind, TX_ABSENT);
	assert_true(changed);
	assert_int_equal(transaction_rollback(tx, NULL, &err), 0);
	assert_before(temp->fd);
}

static void a_link_cannot_be_exposed(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = project_in(temp);
	CLEANUP(transaction_freep) struct transaction *tx = transaction_new(&project, "test");
	CLEANUP(relpath_release) struct relpath link = path("link");

	make_tree(temp);
	tempdir_symlink("lock", temp->fd, "link");
	assert_int_equal(transaction_expose(tx, &link, &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

/* Everything, killed at one of our calls, in a process of its own. */
static bool run_with_fault(const struct project *project, unsigned long at)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		struct error err = ERROR_INIT;
		struct transaction *tx = NULL;

		fault_arm(FAULT_KILL, at);
		if (begin(project, &tx, &err) < 0)
			_exit(1);
		install(project->root);
		if (go_on(tx, &err) < 0 ||
			transaction_commit(tx, TRANSACTION_DONE, view_of(""), &err) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
	return WIFEXITED(status);
}

static void remove_all(const struct tempdir *temp)
{
	static const char *const names[] = {
		".nanoclaw", "package.json", "lock", "new-lock", "node_modules"};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(tree_remove(temp->fd, names[i], &err), 0);
}

static void a_kill_at_any_point_leaves_both_rounds_or_none(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);
	bool ended = false;
	unsigned long points = 0;
	unsigned long undone = 0;

	while (!ended) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(recovery_release) struct recovery recovery = RECOVERY_INIT;
		CLEANUP(freep) char *found = NULL;

		make_tree(temp);
		ended = run_with_fault(&project, ++points);
		assert_int_equal(recovery_run(&project, &recovery, &err), 0);
		found = tempdir_get(temp->fd, STATE);
		if (!strcmp(found, "before")) {
			assert_before(temp->fd);
			/* Of what only we change, nothing looks like somebody else's. */
			assert_false(tempdir_exists(temp->fd, ".nanoclaw/kept/" STATE));
			assert_false(tempdir_exists(temp->fd, ".nanoclaw/kept/package.json"));
			undone++;
		} else {
			assert_after(temp->fd);
		}
		remove_all(temp);
	}
	assert_true(undone > 30);
	assert_true(points > undone);
}

TESTS(IN_TEMPDIR(both_rounds_come_with_the_commit),
	IN_TEMPDIR(both_rounds_go_with_the_rollback),
	IN_TEMPDIR(after_a_crash_in_the_command_all_is_back_and_what_was_found_is_kept),
	IN_TEMPDIR(a_file_that_the_command_removed_is_back),
	IN_TEMPDIR(a_link_cannot_be_exposed),
	IN_TEMPDIR(a_kill_at_any_point_leaves_both_rounds_or_none))
