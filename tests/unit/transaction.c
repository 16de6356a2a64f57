#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/commit/recovery.h"
#include "engine/disk/pause.h"
#include "engine/disk/rollback.h"
#include "engine/disk/transaction.h"
#include "fault.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "tempdir.h"

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

static void put(struct transaction *tx, const char *name, const char *content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath p = path(name);

	assert_int_equal(transaction_put(tx, &p, view_of(content), 0644, &err), 0);
}

static void put_link(struct transaction *tx, const char *name, const char *target)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath p = path(name);

	assert_int_equal(transaction_put_link(tx, &p, view_of(target), &err), 0);
}

static void take(struct transaction *tx, const char *name)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath p = path(name);

	assert_int_equal(transaction_remove(tx, &p, &err), 0);
}

static void assert_reads(
	struct transaction *tx, const char *name, enum tx_kind kind, const char *content)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath p = path(name);
	CLEANUP(tx_file_release) struct tx_file file = TX_FILE_INIT;

	assert_int_equal(transaction_read(tx, &p, &file, &err), 0);
	assert_int_equal(file.kind, kind);
	if (content)
		assert_true(view_equal_str(view_of_buf(&file.content), content));
}

static void assert_link(int fd, const char *name, const char *target)
{
	CLEANUP(freep) char *found = tempdir_get_link(fd, name);

	assert_non_null(found);
	assert_string_equal(found, target);
}

static void assert_file(int fd, const char *name, const char *content)
{
	CLEANUP(freep) char *found = tempdir_get(fd, name);

	assert_non_null(found);
	assert_string_equal(found, content);
}

/* A link that becomes a file, a file that becomes a link, new ones, one that goes. */
static void make_tree(const struct tempdir *temp)
{
	tempdir_mkdir(temp->fd, ".nanoclaw");
	tempdir_put(temp->fd, ".nanoclaw/state.yaml", "");
	tempdir_put(temp->fd, "file", "old");
	tempdir_symlink("old-target", temp->fd, "link");
	tempdir_symlink("there", temp->fd, "turned");
	tempdir_symlink("gone-target", temp->fd, "gone");
}

static struct transaction *stage(const struct project *project)
{
	struct transaction *tx = transaction_new(project, "test");

	put_link(tx, "file", "now/a/link");
	put_link(tx, "link", "new-target");
	put(tx, "turned", "a file");
	put_link(tx, "sub/new", "../file");
	take(tx, "gone");
	put_link(tx, "never", "x");
	take(tx, "never");
	return tx;
}

static void assert_before(int fd)
{
	assert_file(fd, "file", "old");
	assert_link(fd, "link", "old-target");
	assert_link(fd, "turned", "there");
	assert_link(fd, "gone", "gone-target");
	assert_false(tempdir_exists(fd, "sub"));
	assert_false(tempdir_exists(fd, "never"));
	assert_false(tempdir_exists(fd, ".nanoclaw/tx"));
	assert_false(tempdir_exists(fd, ".nanoclaw/kept"));
}

static void assert_after(int fd)
{
	assert_link(fd, "file", "now/a/link");
	assert_link(fd, "link", "new-target");
	assert_file(fd, "turned", "a file");
	assert_link(fd, "sub/new", "../file");
	assert_false(tempdir_exists(fd, "gone"));
	assert_false(tempdir_exists(fd, "never"));
}

static void a_staged_link_is_read_as_one(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);

	make_tree(temp);
	for (int dry = 0; dry < 2; dry++) {
		CLEANUP(transaction_freep)
		struct transaction *tx = dry ? transaction_new_dry(&project, "test")
					     : transaction_new(&project, "test");

		assert_reads(tx, "link", TX_SYMLINK, "old-target");
		put_link(tx, "link", "first");
		put_link(tx, "link", "second");
		assert_reads(tx, "link", TX_SYMLINK, "second");
		put(tx, "link", "text");
		assert_reads(tx, "link", TX_FILE, "text");
		put_link(tx, "link", "third");
		assert_reads(tx, "link", TX_SYMLINK, "third");
		take(tx, "link");
		assert_reads(tx, "link", TX_ABSENT, NULL);
	}
	assert_before(temp->fd);
}

static void a_link_without_a_target_is_refused(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = project_in(temp);
	CLEANUP(transaction_freep) struct transaction *tx = transaction_new(&project, "test");
	CLEANUP(relpath_release) struct relpath p = path("link");

	assert_int_equal(transaction_put_link(tx, &p, view_of(""), &err), -1);
	assert_int_equal(err.kind, ERROR_INVALID);
}

static void links_come_with_the_commit(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = project_in(temp);

	make_tree(temp);
	{
		CLEANUP(transaction_freep) struct transaction *tx = stage(&project);

		assert_int_equal(transaction_apply(tx, &err), 0);
		assert_int_equal(
			transaction_commit(tx, TRANSACTION_DONE, view_of(""), &err), 0);
	}
	assert_after(temp->fd);
	assert_false(tempdir_exists(temp->fd, ".nanoclaw/tx"));
}

static void links_go_with_the_rollback(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = project_in(temp);

	make_tree(temp);
	{
		CLEANUP(transaction_freep) struct transaction *tx = stage(&project);

		assert_int_equal(transaction_apply(tx, &err), 0);
		assert_after(temp->fd);
	}
	assert_before(temp->fd);
}

static void a_link_that_was_turned_since_is_kept(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(kept_list_release) struct kept_list kept = KEPT_LIST_INIT;
	struct project project = project_in(temp);
	CLEANUP(transaction_freep) struct transaction *tx = NULL;

	make_tree(temp);
	tx = stage(&project);
	assert_int_equal(transaction_apply(tx, &err), 0);
	assert_int_equal(unlinkat(temp->fd, "link", 0), 0);
	tempdir_symlink("somebody's", temp->fd, "link");
	assert_int_equal(transaction_rollback(tx, &kept, &err), 0);
	assert_link(temp->fd, "link", "somebody's");
	assert_link(temp->fd, ".nanoclaw/kept/link", "old-target");
	assert_int_equal(kept.count, 1);
	assert_true(kept.list[0].edited_stays);
}

/* In a child, that it may die. Returns whether it came to an end. */
static bool run_with_fault(const struct project *project, unsigned long at)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int status;
	pid_t child = fork();

	if (!child) {
		struct transaction *tx;

		fault_arm(FAULT_KILL, at);
		tx = stage(project);
		if (transaction_apply(tx, &err) < 0 ||
			transaction_commit(tx, TRANSACTION_DONE, view_of(""), &err) < 0)
			_exit(1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_false(WIFEXITED(status) && WEXITSTATUS(status));
	return WIFEXITED(status);
}

static void remove_all(const struct tempdir *temp)
{
	static const char *const names[] = {
		".nanoclaw", "file", "gone", "link", "sub", "turned"};
	CLEANUP(error_release) struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		assert_int_equal(tree_remove(temp->fd, names[i], &err), 0);
}

static void a_kill_at_any_point_leaves_all_links_or_none(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);
	bool ended = false;
	unsigned long points = 0;

	while (!ended) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(recovery_release) struct recovery recovery = {0};
		CLEANUP(freep) char *link = NULL;

		make_tree(temp);
		ended = run_with_fault(&project, ++points);
		assert_int_equal(recovery_run(&project, &recovery, &err), 0);
		link = tempdir_get_link(temp->fd, "link");
		if (!strcmp(link, "old-target"))
			assert_before(temp->fd);
		else
			assert_after(temp->fd);
		remove_all(temp);
	}
	assert_true(points > 20);
}

static void abort_brings_links_back_after_two_pauses(void **state)
{
	const struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(recovery_release) struct recovery recovery = {0};
	struct project project = project_in(temp);

	make_tree(temp);
	for (int i = 0; i < 2; i++) {
		CLEANUP(transaction_freep)
		struct transaction *tx =
			i ? transaction_new(&project, "again") : stage(&project);

		if (i) {
			put_link(tx, "link", "third");
			put(tx, "sub/new", "a file");
		}
		assert_int_equal(transaction_apply(tx, &err), 0);
		assert_int_equal(
			transaction_commit(tx, TRANSACTION_PAUSE, view_of("{}"), &err), 0);
	}
	assert_link(temp->fd, "link", "third");
	assert_file(temp->fd, "sub/new", "a file");
	assert_int_equal(recovery_abort(&project, &recovery, &err), 0);
	assert_before(temp->fd);
}

/* --- an edit at the worst moment ------------------------------------------------- */

/* How somebody edits `file` right before our rename changes it. */
enum edit {
	EDIT_APPEND,  /* a line more, in the same file */
	EDIT_REPLACE, /* as editors save: a new file gets the name */
	EDIT_COUNT,
};

static struct {
	int (*rename)(int fromfd, const char *from, int tofd, const char *to, unsigned flags);
	const struct tempdir *temp;
	enum edit edit;
	bool no_exchange; /* on a file system that cannot exchange two files */
	bool no_links;    /* nor give a file a second name */
	bool kill;        /* die after the rename */
	bool edited;
} race;

static void race_edit(void)
{
	int fd = race.temp->fd;

	race.edited = true;
	if (race.edit == EDIT_REPLACE) {
		tempdir_put(fd, "file.swp", "old and mine");
		assert_int_equal(renameat(fd, "file.swp", fd, "file"), 0);
		return;
	}
	fd = openat(fd, "file", O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_int_equal(write(fd, " and mine", 9), 9);
	close(fd);
}

static int race_rename(int fromfd, const char *from, int tofd, const char *to, unsigned flags)
{
	bool now = !race.edited && (!strcmp(to, "file") || !strcmp(from, "file"));
	int result;

	if (race.no_exchange && flags & RENAME_EXCHANGE) {
		errno = EINVAL;
		return -1;
	}
	if (now)
		race_edit();
	result = race.rename(fromfd, from, tofd, to, flags);
	if (now && race.kill)
		_exit(0);
	return result;
}

static int race_link(int fromfd, const char *from, int tofd, const char *to)
{
	if (!race.no_links)
		return linkat(fromfd, from, tofd, to, 0);
	errno = EPERM;
	return -1;
}

/* Change or remove `file`, which somebody edits right before; the transaction is undone. */
static void race_run(const struct project *project, bool removes)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(transaction_freep) struct transaction *tx = transaction_new(project, "test");

	put(tx, "first", "a change before it");
	if (removes)
		take(tx, "file");
	else
		put(tx, "file", "new");
	assert_int_equal(transaction_apply(tx, &err), -1);
	assert_non_null(strstr(err.message, "'file' was changed by another program"));
}

static void race_begin(const struct tempdir *temp, enum edit edit)
{
	race.edited = race.no_exchange = race.no_links = race.kill = false;
	race.temp = temp;
	race.edit = edit;
	make_tree(temp);
}

static int race_setup(void **state)
{
	race.rename = sys.rename;
	sys.rename = race_rename;
	sys.link = race_link;
	return tempdir_setup(state);
}

static int race_teardown(void **state)
{
	sys.rename = race.rename;
	race.no_links = false;
	return tempdir_teardown(state);
}

static void race_assert_kept(const struct tempdir *temp)
{
	assert_true(race.edited);
	assert_file(temp->fd, "file", "old and mine");
	assert_false(tempdir_exists(temp->fd, "first"));
	assert_false(tempdir_exists(temp->fd, ".nanoclaw/tx"));
	remove_all(temp);
}

static void an_edit_right_before_the_rename_stops_the_operation_and_stays(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);

	for (int i = 0; i < EDIT_COUNT * 2 * 2; i++) {
		race_begin(temp, (enum edit)(i % EDIT_COUNT));
		race.no_links = i / EDIT_COUNT % 2;
		race_run(&project, i / EDIT_COUNT / 2);
		race_assert_kept(temp);
	}
}

static void without_an_exchange_a_line_that_was_appended_stays(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);

	race_begin(temp, EDIT_APPEND);
	race.no_exchange = true;
	race_run(&project, false);
	race_assert_kept(temp);
}

static void an_edit_right_before_the_rename_stays_after_a_kill(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);

	for (int i = 0; i < EDIT_COUNT * 2 * 2; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(recovery_release) struct recovery recovery = {0};
		pid_t child;
		int status;

		race_begin(temp, (enum edit)(i % EDIT_COUNT));
		race.no_links = i / EDIT_COUNT % 2;
		race.kill = true;
		child = fork();
		if (!child) {
			race_run(&project, i / EDIT_COUNT / 2);
			_exit(1);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(status, 0);
		assert_true(tempdir_exists(temp->fd, ".nanoclaw/tx/journal"));
		race.edited = true;
		assert_int_equal(recovery_run(&project, &recovery, &err), 0);
		race_assert_kept(temp);
	}
}

/* A program that had the file open writes into the file that we replaced. */
static void a_line_written_into_a_replaced_file_before_the_commit_stays(void **state)
{
	const struct tempdir *temp = *state;
	struct project project = project_in(temp);

	for (int i = 0; i < 4; i++) {
		CLEANUP(error_release) struct error err = ERROR_INIT;
		CLEANUP(transaction_freep) struct transaction *tx = NULL;
		int fd;

		race_begin(temp, EDIT_APPEND);
		race.edited = true;
		race.no_links = i / 2;
		tx = transaction_new(&project, "test");
		put(tx, "first", "a change before it");
		put(tx, "file", "new");
		fd = openat(temp->fd, "file", O_WRONLY | O_APPEND | O_CLOEXEC);
		assert_int_equal(transaction_apply(tx, &err), 0);
		if (i % 2)
			assert_int_equal(transaction_arm(tx, &err), 0);
		assert_int_equal(write(fd, " and mine", 9), 9);
		close(fd);
		assert_int_equal(
			transaction_commit(tx, TRANSACTION_DONE, view_of(""), &err), -1);
		assert_non_null(strstr(err.message, "'file' was changed by another program"));
		assert_int_equal(transaction_rollback(tx, NULL, &err), 0);
		race_assert_kept(temp);
	}
}

#define WITH_RACE(test) cmocka_unit_test_setup_teardown(test, race_setup, race_teardown)

TESTS(IN_TEMPDIR(a_staged_link_is_read_as_one), IN_TEMPDIR(a_link_without_a_target_is_refused),
	IN_TEMPDIR(links_come_with_the_commit), IN_TEMPDIR(links_go_with_the_rollback),
	IN_TEMPDIR(a_link_that_was_turned_since_is_kept),
	IN_TEMPDIR(a_kill_at_any_point_leaves_all_links_or_none),
	IN_TEMPDIR(abort_brings_links_back_after_two_pauses),
	WITH_RACE(an_edit_right_before_the_rename_stops_the_operation_and_stays),
	WITH_RACE(without_an_exchange_a_line_that_was_appended_stays),
	WITH_RACE(an_edit_right_before_the_rename_stays_after_a_kill),
	WITH_RACE(a_line_written_into_a_replaced_file_before_the_commit_stays))
