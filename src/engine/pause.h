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
#ifndef ENGINE_PAUSE_H
#define ENGINE_PAUSE_H

#include "engine/journal.h"

/* Before the commit: build the folder that will become .nanoclaw/backup. */
int pause_prepare(
	int nanoclaw, const struct journal *journal, struct view notes, struct error *err);

/*
 * After the commit, also one that was interrupted: if tx/paused is there, put the
 * folder in its place; if tx/done is there, remove .nanoclaw/backup. Then remove
 * .nanoclaw/tx.
 */
int pause_finish(int nanoclaw, struct error *err);

#endif
