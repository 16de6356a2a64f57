#include "engine/disk/transaction.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "engine/disk/history.h"
#include "engine/disk/internal.h"
#include "engine/disk/pause.h"
#include "engine/disk/rollback.h"
#include "fs/beneath.h"
#include "fs/replace.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "proc/log.h"

struct transaction *transaction_new(const struct project *project, const char *operation)
{
	struct transaction *tx = xcalloc(1, sizeof(*tx));

	tx->project = project;
	tx->journal.operation = xstrdup(operation);
	tx->nanoclaw = tx->tx = tx->stage = tx->saved = -1;
	return tx;
}

struct transaction *transaction_new_dry(const struct project *project, const char *operation)
{
	struct transaction *tx = transaction_new(project, operation);

	tx->dry = true;
	return tx;
}

struct transaction *transaction_new_over(struct transaction *under)
{
	struct transaction *tx = transaction_new_dry(under->project, under->journal.operation);

	tx->under = under;
	return tx;
}

const struct journal *transaction_journal(const struct transaction *tx)
{
	return &tx->journal;
}

void transaction_concerns(struct transaction *tx, const char *name)
{
	string_array_add(&tx->subject, name);
}

void transaction_undoes(struct transaction *tx, unsigned number)
{
	tx->journal.undoes = number;
}

void transaction_leave_folder(struct transaction *tx, const struct relpath *path)
{
	relpath_list_add(&tx->journal.leaving, relpath_copy(path));
}

/* --- before the first change --- */

/* Can files be renamed from the stage to this folder, and back? */
static int transaction_check_folder(
	struct transaction *tx, const struct relpath *folder, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat st, root;

	if (beneath_open_dir(tx->project->root, folder, &fd, err) < 0)
		return -1;
	if (fstat(fd, &st) < 0 || fstat(tx->project->root, &root) < 0)
		return error_errno(err, "cannot access the folder '%s'", folder->text);
	if (st.st_dev != root.st_dev) {
		error_set(err, ERROR_INVALID,
			"the folder '%s' is on another file system than the project",
			folder->text);
		return error_hint(err, "files there cannot be changed all or nothing");
	}
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return error_errno(
			err, "cannot write to the folder '%s'", folder ? folder->text : ".");
	return 0;
}

/* Plan the missing folders above a path, and check the one that exists. */
static int transaction_plan_folders(
	struct transaction *tx, const struct relpath *path, struct error *err)
{
	CLEANUP(error_release) struct error local = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	struct stat st;

	if (!relpath_parent(path, &parent))
		return transaction_check_folder(tx, NULL, err);
	for (size_t i = tx->journal.folders.count; i > 0; i--)
		if (relpath_compare(&tx->journal.folders.list[i - 1], &parent) == 0)
			return 0;
	if (beneath_stat(tx->project->root, &parent, &st, &local) == 0 && S_ISDIR(st.st_mode))
		return transaction_check_folder(tx, &parent, err);
	if (local.kind == ERROR_NONE || local.errnum != ENOENT) {
		error_set(err, ERROR_INVALID, "'%s' is not a folder, and '%s' must be in it",
			parent.text, path->text);
		return error_hint(err, "move '%s' away first", parent.text);
	}
	if (transaction_plan_folders(tx, &parent, err) < 0)
		return -1;
	relpath_list_add(&tx->journal.folders, relpath_copy(&parent));
	return 0;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_mode == b->st_mode && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

int transaction_changed_meanwhile(const struct relpath *path, struct error *err)
{
	error_set(err, ERROR_FAILED, "'%s' was changed by another program in the meantime",
		path->text);
	return error_hint(err, "run the command again");
}

/* Save the file in the tree as a hard link. */
static int transaction_save(
	struct transaction *tx, const struct change *change, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	const char *base = relpath_base(&change->path);
	char name[CHANGE_NAME_SIZE];
	struct stat now;

	if (beneath_open_parent(tx->project->root, &change->path, 0, &folder, err) < 0)
		return -1;
	if (fstatat(folder, base, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
		!is_same_file(&now, &tx->planned[change->number].observed))
		return transaction_changed_meanwhile(&change->path, err);
	/* A folder is saved by the rename that removes it. */
	if (change->kind == CHANGE_TAKE)
		return 0;
	change_file_name(change, name);
	return saved_link(folder, base, tx->saved, name, err);
}

/* T1, T2: write the journal, the staged and the saved files to the disk. */
static int transaction_write_journal(struct transaction *tx, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	journal_format(&tx->journal, &text);
	if (replace_file(tx->tx, "prepared", view_of_buf(&text), 0644, NULL,
		    REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC, err) < 0)
		return -1;
	if (sys.sync_all(tx->tx) < 0 ||
		sys.rename(tx->tx, "prepared", tx->tx, "journal", 0) < 0)
		return error_errno(err, "cannot write the journal to disk");
	tx->applied = true;
	if (sys.sync(tx->tx) < 0)
		return error_errno(err, "cannot write the journal to disk");
	return 0;
}

/* --- the changes --- */

/*
 * T6: is the file that a change has displaced as it was when the change was planned? It is in
 * the stage. If not, because files cannot be exchanged, or because a second round has taken its
 * place, then it can only be recognized if its saved name is a link.
 */
static bool transaction_displaced_same(
	const struct transaction *tx, const struct change *change)
{
	const struct stat *observed = &tx->planned[change->number].observed;
	char name[CHANGE_NAME_SIZE];
	struct stat now;

	if (!change->had_before || change->kind == CHANGE_TAKE)
		return true;
	change_file_name(change, name);
	if (fstatat(tx->stage, name, &now, AT_SYMLINK_NOFOLLOW) < 0 &&
		(fstatat(tx->saved, name, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
			now.st_ino != observed->st_ino))
		return true;
	return is_same_file(&now, observed);
}

/* T3 */
static int transaction_place(
	struct transaction *tx, const struct change *change, struct error *err)
{
	CLEANUP(closep) int folder = -1;
	const char *base = relpath_base(&change->path);
	const struct planned *planned = &tx->planned[change->number];
	bool displaces = change->had_before && !planned->replaces;
	unsigned flags = displaces ? RENAME_EXCHANGE : planned->replaces ? 0 : RENAME_NOREPLACE;
	char name[CHANGE_NAME_SIZE];
	struct stat now;
	int failed;

	/* It was staged, and removed again before it got into the tree. */
	if (change->kind == CHANGE_REMOVE && !change->had_before && !planned->replaces)
		return 0;
	change_file_name(change, name);
	if (beneath_open_parent(tx->project->root, &change->path, 0, &folder, err) < 0)
		return -1;
	/* T6: an edit that was made during the sync must not be lost. */
	if (displaces && (fstatat(folder, base, &now, AT_SYMLINK_NOFOLLOW) < 0 ||
				 !is_same_file(&now, &planned->observed)))
		return transaction_changed_meanwhile(&change->path, err);
	if (change->kind == CHANGE_REMOVE) {
		failed = displaces ? sys.rename(folder, base, tx->stage, name, 0)
				   : sys.unlink(folder, base, 0);
	} else if (change->kind == CHANGE_TAKE) {
		failed = sys.rename(folder, base, tx->saved, name, 0);
	} else {
		failed = sys.rename(tx->stage, name, folder, base, flags);
		/* A file system without these flags. */
		if (failed && errno == EINVAL && flags &&
			(displaces || faccessat(folder, base, F_OK, AT_SYMLINK_NOFOLLOW)))
			failed = sys.rename(tx->stage, name, folder, base, 0);
	}
	if (failed)
		return error_errno(err, "cannot change '%s'", change->path.text);
	if (!displaces || transaction_displaced_same(tx, change))
		return 0;
	/* It was edited right before the rename. Without this, rollback() gives it back. */
	sys.rename(tx->stage, name, folder, base,
		change->kind == CHANGE_REMOVE ? RENAME_NOREPLACE : RENAME_EXCHANGE);
	return transaction_changed_meanwhile(&change->path, err);
}

int transaction_check(struct transaction *tx, struct error *err)
{
	struct journal *journal = &tx->journal;

	for (size_t i = 0; i < journal->change_count; i++) {
		const struct change *change = &journal->changes[i];

		if (change->kind == CHANGE_REMOVE && !change->had_before)
			continue; /* nothing will be there, so it needs no folder */
		if (transaction_plan_folders(tx, &change->path, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < journal->folders.count; i++) {
		const struct change *change = journal_find(journal, &journal->folders.list[i]);

		if (change && change_puts(change))
			return error_set(err, ERROR_INVALID,
				"'%s' cannot be a file and a folder at once",
				change->path.text);
	}
	return 0;
}

void transaction_prune(struct transaction *tx, const struct relpath *folder)
{
	relpath_list_add(&tx->prunes, relpath_copy(folder));
}

int transaction_apply(struct transaction *tx, struct error *err)
{
	struct journal *journal = &tx->journal;

	if (transaction_open_stage(tx, err) < 0 || transaction_check(tx, err) < 0)
		return -1;
	for (; tx->saved_count < journal->change_count; tx->saved_count++)
		if (journal->changes[tx->saved_count].had_before &&
			transaction_save(tx, &journal->changes[tx->saved_count], err) < 0)
			return -1;
	if (transaction_write_journal(tx, err) < 0)
		return -1;
	for (; tx->folders_made < journal->folders.count; tx->folders_made++) {
		const struct relpath *folder = &journal->folders.list[tx->folders_made];
		CLEANUP(closep) int parent = -1;

		if (beneath_open_parent(tx->project->root, folder, 0, &parent, err) < 0)
			return -1;
		if (sys.mkdir(parent, relpath_base(folder), 0777) < 0)
			return error_errno(err, "cannot create the folder '%s'", folder->text);
	}
	for (size_t i = 0; i < journal->change_count; i++) {
		struct planned *planned = &tx->planned[journal->changes[i].number];

		if (planned->placed)
			continue;
		if (transaction_place(tx, &journal->changes[i], err) < 0)
			return -1;
		planned->placed = true;
	}
	return 0;
}

/* --- commit and rollback --- */

int transaction_commit(
	struct transaction *tx, enum transaction_end end, struct view notes, struct error *err)
{
	static const char *const names[] = {
		[TRANSACTION_DONE] = "done",
		[TRANSACTION_UNLISTED] = "done",
		[TRANSACTION_PAUSE] = "paused",
		[TRANSACTION_UNDO] = "undone",
		[TRANSACTION_REDO] = "redone",
	};
	CLEANUP(journal_release) struct journal all = JOURNAL_INIT;
	CLEANUP(error_release) struct error later = ERROR_INIT;

	assert(tx->applied && !tx->over);
	/* T6: a program that has a replaced file open may have written to it since. */
	for (size_t i = 0; i < tx->journal.change_count; i++)
		if (!transaction_displaced_same(tx, &tx->journal.changes[i]))
			return transaction_changed_meanwhile(&tx->journal.changes[i].path, err);
	for (size_t i = 0; i < tx->prunes.count; i++)
		if (project_remove_empty(tx->project, &tx->prunes.list[i], err) < 0)
			return -1;
	if (end == TRANSACTION_PAUSE &&
		pause_prepare(tx->nanoclaw, &tx->journal, notes, err) < 0)
		return -1;
	if (end == TRANSACTION_DONE && pause_is_there(tx->nanoclaw)) {
		if (pause_prepare_end(tx->project, tx->nanoclaw, &tx->journal, &all, err) < 0 ||
			history_prepare(tx->nanoclaw, "tx/next", &all, &tx->subject, err) < 0)
			return -1;
	} else if (end == TRANSACTION_DONE &&
		   history_prepare(tx->nanoclaw, "tx", &tx->journal, &tx->subject, err) < 0) {
		return -1;
	}
	if (end == TRANSACTION_UNDO && sys.mkdir(tx->tx, "entries", 0777) < 0)
		return error_errno(err, "cannot prepare the history");
	if (sys.sync_all(tx->tx) < 0)
		return error_errno(err, "cannot write the changes to disk");
	if (sys.rename(tx->tx, "journal", tx->tx, names[end], 0) < 0)
		return error_errno(err, "cannot finish");
	/* T4: committed. Recovery can also do the rest. */
	tx->over = true;
	if (sys.sync(tx->tx) < 0 || commit_clean_up(tx->project, tx->nanoclaw, &later) < 0)
		log_debug("the next command will clean up: %s",
			later.message ? later.message : "the disk reports an error");
	else if (end == TRANSACTION_UNDO && !disk_exists(tx->nanoclaw, "state.yaml"))
		project_remove_nanoclaw(tx->project); /* an undone 'init' leaves nothing */
	return 0;
}

int transaction_arm(struct transaction *tx, struct error *err)
{
	CLEANUP(closep) int mark = sys.create(tx->tx, "armed", O_WRONLY | O_CREAT, 0644);

	if (mark < 0 || sys.sync(tx->tx) < 0)
		return error_errno(err, "cannot prepare for a failure");
	tx->armed = true;
	return 0;
}

void transaction_give_up(struct transaction *tx)
{
	if (tx->applied && !tx->over &&
		(sys.rename(tx->tx, "armed", tx->tx, "aborting", 0) < 0 ||
			sys.sync(tx->tx) < 0))
		log_debug("a crash from now on would leave a command's changes in place");
}

void transaction_abandon(struct transaction *tx)
{
	tx->over = true;
}

int transaction_rollback(struct transaction *tx, struct kept_list *kept, struct error *err)
{
	if (tx->over)
		return 0;
	/* Before commands have run, a file that is not ours was edited by a person. */
	if (tx->applied &&
		rollback(tx->project, &tx->journal,
			tx->armed ? ROLLBACK_RESTORE : ROLLBACK_KEEP_EDITS, kept, err) < 0) {
		tx->over = true;
		return error_hint(err, "the next command will try again");
	}
	tx->over = true;
	if (tx->nanoclaw < 0)
		return 0;
	/* A tx that we could not make may be another's. */
	if (tx->tx >= 0 && (tx->applied ? rollback_end(tx->nanoclaw, err)
					: tree_remove(tx->nanoclaw, "tx", err)) < 0)
		return -1;
	if (tx->journal.created_nanoclaw)
		project_remove_nanoclaw(tx->project);
	return 0;
}

void transaction_free(struct transaction *tx)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!tx)
		return;
	transaction_rollback(tx, NULL, &ignored);
	for (size_t i = 0; i < tx->journal.change_count; i++)
		buf_release(&tx->contents[i]);
	free(tx->contents);
	journal_release(&tx->journal);
	relpath_release(&tx->last_read);
	free(tx->planned);
	string_array_release(&tx->subject);
	relpath_list_release(&tx->prunes);
	closep(&tx->saved);
	closep(&tx->stage);
	closep(&tx->tx);
	closep(&tx->nanoclaw);
	free(tx);
}

void transaction_freep(struct transaction **tx)
{
	transaction_free(*tx);
}
