/*
 * A paused operation: .nanoclaw/backup holds what it takes to undo all of it.
 *
 *	journal		all changes since the operation began
 *	saved/N		the files as they were before it
 *	pause.yaml	what is still to do (pending.h)
 *	aborting	abort has begun; see recovery.h
 *
 * An operation that pauses a second time combines what the first pause kept with
 * what it changed since: abort always leads back to the very beginning.
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
 * Before the commit that ends it: build the folder tx/next, from which all of it can be
 * undone (history.h). `ret_all` has all changes since the operation began, as things are
 * now: what a person edited meanwhile is a part of it, and marked.
 */
int pause_prepare_end(const struct project *project, int nanoclaw,
	const struct journal *journal, struct journal *ret_all, struct error *err);

/*
 * After the commit, also one that was interrupted. By what is there:
 *
 *	tx/paused	tx/next becomes .nanoclaw/backup
 *	tx/done		.nanoclaw/backup is removed; tx/next, or else tx, becomes an entry
 *			of the history
 *	tx/undone	folders that the undone operation had made go if they are empty;
 *			its entry goes
 *
 * Then .nanoclaw/tx is removed.
 */
int commit_clean_up(const struct project *project, int nanoclaw, struct error *err);

#endif
