/*
 * All or nothing: a set of changes to the files of a project.
 *
 *	CLEANUP(transaction_freep) struct transaction *tx = transaction_new(project, "…");
 *
 *	transaction_put(tx, &path, content, mode, err)	as often as needed; also
 *							transaction_put_link(),
 *							transaction_remove()
 *	transaction_apply(tx, err)			the tree is new now
 *	… run tests …
 *	transaction_commit(tx, TRANSACTION_DONE, note, err)	and stays so
 *
 * If the process ends before the commit, the next command finds the journal and undoes
 * everything (recovery.h). transaction_free() undoes a transaction that was applied and
 * not committed.
 *
 * The project must be locked. The transaction is in .nanoclaw/tx:
 *
 *	stage/N		new files, before they are moved into place
 *	saved/N		old files: hard links if possible, so that nothing is copied and
 *			the same file comes back, with its times
 *	journal		the changes; while it exists, they are undone after a crash
 *	done		the journal, renamed by the commit; `paused` if the operation
 *			waits for a person, `undone` or `redone` for an undo or a redo. The saved files become
 *			an entry of the history (history.h)
 *
 *	             stage                apply                   commit          rename
 *	[no tx] --------> [tx, no journal] ----> [tx/journal] ----> [tx/done] ----> [no tx]
 *	             after a crash:
 *	                  remove tx              undo, remove tx    rename
 *
 * Invariants, referred to by number in code and tests:
 *
 *  T1. No file of the project changes before the journal is on the disk.
 *  T2. Before the first change, every staged and every saved file is on the disk. One
 *	syncfs() covers them and the journal before it gets its name: it costs as much as
 *	two or three fsync() calls, and an operation touches more files than that. Then
 *	one fsync() of the folder makes the name durable.
 *  T3. A file changes by one rename from the stage, an exchange where the file system can.
 *	The displaced file is in the stage then, until the commit. A file that is replaced
 *	keeps its saved name, even after the commit. A folder that is removed is renamed to
 *	its saved name.
 *  T4. The commit is one rename of journal to done, paused, undone or redone. Before it, a
 *	second syncfs() writes all changes to the disk; after it, an fsync() the folder. There
 *	are no syncs except these four.
 *  T5. Undoing needs no space on the disk, only renames and removals, and can be
 *	interrupted and repeated at any point.
 *  T6. A file that is not as the transaction left it was changed by somebody else. It is
 *	never thrown away (rollback.h). If a displaced file is not as it was observed, the
 *	transaction fails.
 *  T7. A file that our commands may change (transaction_expose()) is in the journal before
 *	they run, and they cannot reach the saved file. Their changes and all later ones are
 *	in a second journal, which replaces the first by one rename before anything else
 *	changes. T1 to T3 hold for it too, at the cost of one more syncfs() and fsync().
 *	Both journals lead back to the same tree.
 *
 * A pause (pause.h) is a commit too: it leaves a tree with conflict markers, and in
 * .nanoclaw/backup everything that abort needs.
 */
#ifndef ENGINE_DISK_TRANSACTION_H
#define ENGINE_DISK_TRANSACTION_H

#include <stdbool.h>
#include <sys/stat.h>

#include "engine/disk/journal.h"
#include "engine/disk/project.h"
#include "engine/disk/tx_file.h"

#define TRANSACTION_MAX_FILE ((size_t)1024 * 1024 * 1024)

struct transaction;

struct transaction *transaction_new(const struct project *project, const char *operation);

/* A dry run: its files are in memory, and can only be read. */
struct transaction *transaction_new_dry(const struct project *project, const char *operation);

/*
 * A dry run on top of another transaction, which it reads where it has nothing staged: for
 * a result that is compared before it is used. `under` must outlive it.
 */
struct transaction *transaction_new_over(struct transaction *under);

/*
 * The kind of a path in the project now. If a folder of the path is a symbolic link or a
 * file, that is ERROR_INVALID.
 */
int transaction_look(const struct project *project, const struct relpath *path,
	enum tx_kind *ret_kind, struct error *err);

/*
 * Read a file as it will be: the staged one, else the one in the project. If a folder of
 * the path is a symbolic link, that is ERROR_INVALID.
 */
int transaction_read(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, struct error *err);

/*
 * Stage a change. A second one for the same path replaces the first. If the path in the
 * project changes before the change is made, transaction_apply() fails.
 */
int transaction_put(struct transaction *tx, const struct relpath *path, struct view content,
	mode_t mode, struct error *err);
int transaction_put_link(struct transaction *tx, const struct relpath *path, struct view target,
	struct error *err);
int transaction_remove(struct transaction *tx, const struct relpath *path, struct error *err);

/* Stage a file, a link, or a removal. */
int tx_file_stage(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, struct error *err);

/*
 * The same over an existing file, whose permissions stay except for the execute bits.
 */
int tx_file_stage_over(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, const struct tx_file *there, struct error *err);

/*
 * Right before the commit, remove this folder if it is empty. Undoing makes it again with
 * the file that was in it, so the folder must not have been empty before.
 */
void transaction_prune(struct transaction *tx, const struct relpath *folder);

/*
 * Stage a new folder. The caller gets it open and empty, and fills it through sys; it will
 * be moved to the path, which must be free.
 */
int transaction_put_folder(
	struct transaction *tx, const struct relpath *path, int *ret_fd, struct error *err);

/* Stage the removal of a whole folder. */
int transaction_take_folder(
	struct transaction *tx, const struct relpath *path, struct error *err);

/* For an undo: the oldest entry of the history that it undoes. */
void transaction_undoes(struct transaction *tx, unsigned number);

/* After the commit of an undo or redo, remove this folder if it is empty. Outer before inner. */
void transaction_leave_folder(struct transaction *tx, const struct relpath *path);

/* Set the times of a staged file. */
int transaction_set_times(struct transaction *tx, const struct relpath *path,
	const struct timespec times[2], struct error *err);

/*
 * The caller restored the file of a path with its content, so the change is for this file
 * now.
 */
int transaction_observe_again(
	struct transaction *tx, const struct relpath *path, struct error *err);

/* The changes staged so far. */
const struct journal *transaction_journal(const struct transaction *tx);

/* Can the changes be made? transaction_apply() asks this first; a dry run only this. */
int transaction_check(struct transaction *tx, struct error *err);

int transaction_apply(struct transaction *tx, struct error *err);

/*
 * Commands that run between the changes and the commit may change some files, and their
 * changes are part of the operation (T7):
 *
 *	transaction_expose(tx, &path, err)		before transaction_apply()
 *	transaction_apply(tx, err)
 *	… run the command …
 *	transaction_adopt(tx, &path, &file, &changed, err)	its result is ours
 *	transaction_put(tx, …)				exposed or new paths only
 *	transaction_apply(tx, err)			the second round
 *	transaction_commit(tx, …)
 *
 * Undoing restores the files from before the first round, and removes new ones. A file that
 * is neither of those nor ours goes to .nanoclaw/kept.
 */
int transaction_expose(struct transaction *tx, const struct relpath *path, struct error *err);

/* A folder that does not exist and that a command may make: undoing removes it. */
int transaction_expose_folder(
	struct transaction *tx, const struct relpath *path, struct error *err);

/* `*ret_changed`: the command changed the file. */
int transaction_adopt(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, bool *ret_changed, struct error *err);

/* What happens to the saved files at the end. */
enum transaction_end {
	TRANSACTION_DONE,     /* an entry of the history; this ends a pause */
	TRANSACTION_UNLISTED, /* nothing, because no file changes that an entry has changed */
	TRANSACTION_PAUSE,    /* .nanoclaw/backup, to undo the whole operation */
	TRANSACTION_UNDO,     /* history/redo, with the undone entries of the history */
	TRANSACTION_REDO,     /* nothing; the entries are in the history again */
};

/* For the history: the name of a skill or patch that the operation is about. */
void transaction_concerns(struct transaction *tx, const char *name);

/* For a pause, `notes` is the text of .nanoclaw/backup/pause.yaml. */
int transaction_commit(
	struct transaction *tx, enum transaction_end end, struct view notes, struct error *err);

/*
 * Right before commands run, and after guard_take(): create the mark that says so, on the disk.
 * transaction_give_up() renames it, which needs no space.
 */
int transaction_arm(struct transaction *tx, struct error *err);

/*
 * Mark that the transaction is being undone: from here on, even after a crash, files that
 * its commands changed are restored too.
 */
void transaction_give_up(struct transaction *tx);

/* Undoing failed: leave it to the next command. */
void transaction_abandon(struct transaction *tx);

/*
 * Undo the transaction. Files that were edited after transaction_apply() go to .nanoclaw/kept,
 * and are listed in `kept`, which may be NULL.
 */
struct kept_list;
int transaction_rollback(struct transaction *tx, struct kept_list *kept, struct error *err);

void transaction_free(struct transaction *tx);
void transaction_freep(struct transaction **tx);

#endif
