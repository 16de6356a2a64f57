/*
 * A paused operation: .nanoclaw/backup has everything to undo it.
 *
 *	journal		all changes since the operation began
 *	saved/N		the files as they were before it
 *	pause.yaml	the remaining steps (pending.h)
 *	aborting	abort has begun; see recovery.h
 *
 * A second pause of the same operation adds its changes to the backup, so abort always
 * returns to the very beginning.
 */
#ifndef ENGINE_DISK_PAUSE_H
#define ENGINE_DISK_PAUSE_H

#include "engine/disk/journal.h"
#include "engine/disk/project.h"

/* Before the commit: build the folder that will become .nanoclaw/backup. */
int pause_prepare(
	int nanoclaw, const struct journal *journal, struct view notes, struct error *err);

/* Is an operation paused? */
bool pause_is_there(int nanoclaw);

/*
 * Before the commit that ends the pause: build the folder tx/next, from which the whole
 * operation can be undone (history.h). `ret_all` has all changes since it began, including
 * the edits of a person, which are marked.
 */
int pause_prepare_end(const struct project *project, int nanoclaw,
	const struct journal *journal, struct journal *ret_all, struct error *err);

/*
 * After the commit, even if that was interrupted:
 *
 *	tx/paused	tx/next becomes .nanoclaw/backup
 *	tx/done		.nanoclaw/backup is removed; tx/next, or else tx, becomes an entry
 *			of the history
 *	tx/undone	the entry of the undone operation is removed, and so are the
 *			folders that it had made, if they are empty
 *
 * Then .nanoclaw/tx is removed.
 */
int commit_clean_up(const struct project *project, int nanoclaw, struct error *err);

#endif
