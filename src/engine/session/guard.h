/*
 * Restores files that somebody else's command has changed. A guard is created before the command
 * runs. There are two kinds.
 *
 * A test or another command of a skill may change anything in the project; if the operation
 * fails, the files of the core and of skills are restored:
 *
 *	guard_take(project, state, tx, &guard, err)
 *	… run the command …
 *	guard_restore(guard, &kept, err)
 *
 * The transaction saves the files that it touches, so this guard covers all others. The command
 * and the restore can be interrupted at any point: guard_recover() restores after a crash.
 *
 * A resolver must not change the project at all, and everything that it changes is restored:
 *
 *	guard_take_all(project, state, base, apart, &guard, err)
 *	… run the command …
 *	guard_restore_all(guard, &changed, &kept, err)
 *
 * This guard covers all files and links of the core, of skills and packages, and of .nanoclaw,
 * and also finds new files. It excludes ignored files (ignore.h), .git, and .nanoclaw/index,
 * which is a cache. It keeps no copies of the large folders in .nanoclaw: a change there can
 * only be reported.
 *
 * A file is untouched if lstat() gives the same result as before. Files that differ from their
 * copy in the base, by size or time, are copied. When a file is restored, the changed version is
 * moved to .nanoclaw/kept, because a person may have changed it.
 */
#ifndef ENGINE_SESSION_GUARD_H
#define ENGINE_SESSION_GUARD_H

#include "engine/disk/rollback.h"
#include "engine/disk/transaction.h"
#include "engine/state/state.h"

struct guard;

/*
 * The transaction must be applied. All that guard_recover() needs is on the disk afterwards, and
 * transaction_arm() says so.
 */
int guard_take(const struct project *project, const struct state *state,
	const struct transaction *tx, struct guard **ret_guard, struct error *err);

/* After a failure, and before the transaction is undone. */
int guard_restore(struct guard *guard, struct kept_list *kept, struct error *err);

/*
 * After a crash, while the command ran or while its changes were undone (`given_up`): restore the
 * files by the copies and by the base. Does nothing if no guard was taken. The list of the copies
 * is sealed (journal.h): without the seal it is not whole, and no command has begun.
 */
int guard_recover(const struct project *project, const struct journal *journal, bool given_up,
	struct kept_list *kept, struct error *err);

/*
 * `base` is the open base folder. `apart` is an open folder, or -1; it is not guarded even if
 * it is inside the project.
 */
int guard_take_all(const struct project *project, const struct state *state, int base,
	int apart, struct guard **ret_guard, struct error *err);

/*
 * `*ret_changed` is the path of the first file that was not as before, or NULL; to be
 * freed. It is an error if something cannot be put back.
 */
int guard_restore_all(
	struct guard *guard, char **ret_changed, struct kept_list *kept, struct error *err);

void guard_freep(struct guard **guard);

#endif
