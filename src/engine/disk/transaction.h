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
 * Whatever ends the process before the commit, the next command finds the journal
 * and brings everything back (recovery.h). transaction_free() does the same for
 * one that was applied and not committed.
 *
 * The project must be locked. Everything a transaction needs is in .nanoclaw/tx:
 *
 *	stage/N		new files, before they get their names
 *	saved/N		files that were there before: a second name of the same
 *			file where that is possible, so that nothing is copied and
 *			the very same file can be put back, times and all
 *	journal		what is being changed; there exactly while it is undone if
 *			we die
 *	done		the journal, renamed: the commit (or paused, of an operation that
 *			waits for a person, or undone). What was saved is still there, and
 *			becomes an entry of the history (history.h)
 *
 *	             stage                apply                   commit          rename
 *	[no tx] --------> [tx, no journal] ----> [tx/journal] ----> [tx/done] ----> [no tx]
 *	             after a crash:
 *	                  remove tx              undo, remove tx    rename
 *
 * Invariants, by which the code and the tests refer to them:
 *
 *  T1. Until the journal is on the disk, no file of the project is changed.
 *  T2. Before the first change, every staged and every saved file is on the disk.
 *	One syncfs() covers these, and the journal before it gets its name: it costs as
 *	much as two or three fsync() calls, and an operation touches more files than
 *	that. An fsync() of the folder then makes the name certain.
 *  T3. A file changes by one rename from the stage; a file that is replaced stays
 *	under its saved name, beyond the commit. A folder that goes is renamed to its
 *	saved name.
 *  T4. The commit is one rename, of journal to done, paused or undone. Before it everything that was
 *	changed is on the disk: a second syncfs(). After it the folder is synced: an
 *	fsync(). These four are all.
 *  T5. Undoing needs no room on the disk (renames and removals only) and can be
 *	interrupted and repeated at any point.
 *  T6. A file that is not as the transaction left it was changed by somebody else.
 *	It is never thrown away (rollback.h).
 *  T7. A file that commands of ours may change (transaction_expose()) is in the
 *	journal before they run, and they cannot reach the saved file by its path. What
 *	they leave, and what is changed after them, is in a second journal,
 *	which takes the place of the first by one rename, before it is changed: T1 to
 *	T3 hold for it as well, at the cost of one more fsync() and syncfs(). Both lead
 *	back to the same tree.
 *
 * A pause (pause.h) is a commit too: what it leaves is a tree with conflict
 * markers and, in .nanoclaw/backup, all that abort needs.
 */
#ifndef ENGINE_DISK_TRANSACTION_H
#define ENGINE_DISK_TRANSACTION_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "engine/disk/journal.h"
#include "engine/disk/project.h"

#define TRANSACTION_MAX_FILE ((size_t)1024 * 1024 * 1024)

struct transaction;

struct transaction *transaction_new(const struct project *project, const char *operation);

/* One that keeps its files in memory and can only be looked at. */
struct transaction *transaction_new_dry(const struct project *project, const char *operation);

/*
 * A dry one on top of another: what is not staged in it is read as the other has it. For
 * a result that is first made aside, and then compared. `under` must outlive it.
 */
struct transaction *transaction_new_over(struct transaction *under);

/* What will be, or is, under a path. */
enum tx_kind {
	TX_ABSENT,
	TX_FILE,
	TX_SYMLINK,
	TX_FOLDER,
	TX_OTHER,
};

/*
 * What is under a path in the project now. A symbolic link or a file where a
 * folder is needed on the way to it is ERROR_INVALID.
 */
int transaction_look(const struct project *project, const struct relpath *path,
	enum tx_kind *ret_kind, struct error *err);

struct tx_file {
	enum tx_kind kind;
	struct buf content; /* of a TX_FILE; of a TX_SYMLINK, where it leads */
	mode_t mode;        /* its permissions */
};

#define TX_FILE_INIT ((struct tx_file){.content = BUF_INIT})

/*
 * Read a file as it will be: what was staged for the path, else what is in the
 * project. A symbolic link on the way to it is ERROR_INVALID.
 */
int transaction_read(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, struct error *err);
void tx_file_release(struct tx_file *file);

/*
 * Stage a change. A second one for the same path takes the place of the first.
 * What is in the project now under that path is what must be there when the
 * change is made: if somebody changes it meanwhile, transaction_apply() fails.
 */
int transaction_put(struct transaction *tx, const struct relpath *path, struct view content,
	mode_t mode, struct error *err);
int transaction_put_link(struct transaction *tx, const struct relpath *path, struct view target,
	struct error *err);
int transaction_remove(struct transaction *tx, const struct relpath *path, struct error *err);

/*
 * Right before the commit: remove this folder if it is empty then. Undoing makes it again
 * with the file that was in it, so one that was empty before must not be named.
 */
void transaction_prune(struct transaction *tx, const struct relpath *folder);

/*
 * Stage a new folder: an open, empty one is returned, to be filled by the caller
 * through sys; it will be moved to the path, where nothing may be.
 */
int transaction_put_folder(
	struct transaction *tx, const struct relpath *path, int *ret_fd, struct error *err);

/* Stage that a whole folder goes, with all that is in it. */
int transaction_take_folder(
	struct transaction *tx, const struct relpath *path, struct error *err);

/* After the commit of an undo, this folder goes if it is empty. Outer before inner. */
void transaction_leave_folder(struct transaction *tx, const struct relpath *path);

/* Give a file that was put these times. */
int transaction_set_times(struct transaction *tx, const struct relpath *path,
	const struct timespec times[2], struct error *err);

/*
 * The file under a path was put back, with the content that it had: it is that one
 * from now on that must be there when the changes are made.
 */
int transaction_observe_again(
	struct transaction *tx, const struct relpath *path, struct error *err);

/* The changes so far. */
const struct journal *transaction_journal(const struct transaction *tx);

/* Can they be made? transaction_apply() asks this first; a dry run only this. */
int transaction_check(struct transaction *tx, struct error *err);

int transaction_apply(struct transaction *tx, struct error *err);

/*
 * Commands that run between the changes and the commit may change some files, and what
 * they make of them is a part of the operation (T7):
 *
 *	transaction_expose(tx, &path, err)		before transaction_apply()
 *	transaction_apply(tx, err)
 *	… run the command …
 *	transaction_adopt(tx, &path, &file, &changed, err)	what it left is ours
 *	transaction_put(tx, …)				exposed or new paths only
 *	transaction_apply(tx, err)			the second round
 *	transaction_commit(tx, …)
 *
 * Undoing brings back what was there before the first round, or takes away what was
 * not. What is neither that nor ours is kept aside.
 */
int transaction_expose(struct transaction *tx, const struct relpath *path, struct error *err);

/* A folder that is not there and that a command may make: undoing removes all of it. */
int transaction_expose_folder(
	struct transaction *tx, const struct relpath *path, struct error *err);

/* `*ret_changed`: it is not as the transaction put it, or left it. */
int transaction_adopt(struct transaction *tx, const struct relpath *path,
	struct tx_file *ret_file, bool *ret_changed, struct error *err);

/* What the commit makes of what was saved, and of .nanoclaw/backup. */
enum transaction_end {
	TRANSACTION_DONE,  /* an entry of the history; a pause that was there is over */
	TRANSACTION_PAUSE, /* a backup, to undo all since the operation began */
	TRANSACTION_UNDO,  /* nothing; and the newest entry of the history goes */
};

/* For the history: the name of a skill or patch that it is about. */
void transaction_concerns(struct transaction *tx, const char *name);

/* With a pause, `notes` is the text for .nanoclaw/backup/pause.yaml. */
int transaction_commit(
	struct transaction *tx, enum transaction_end end, struct view notes, struct error *err);

/*
 * Before commands run: make the mark that transaction_give_up() needs, while there
 * is room on the disk.
 */
int transaction_arm(struct transaction *tx, struct error *err);

/*
 * Mark that it is going to be undone, whatever it finds: also after a crash,
 * files that its commands have changed are then put back.
 */
void transaction_give_up(struct transaction *tx);

/* Leave it to the next command, because undoing has failed. */
void transaction_abandon(struct transaction *tx);

/*
 * Undo it. Files that somebody changed after transaction_apply() are put aside in
 * .nanoclaw/kept and named in `kept`, which may be NULL.
 */
struct kept_list;
int transaction_rollback(struct transaction *tx, struct kept_list *kept, struct error *err);

void transaction_free(struct transaction *tx);
void transaction_freep(struct transaction **tx);

#endif
