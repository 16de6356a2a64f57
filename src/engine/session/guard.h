/*
 * Files that somebody else's command may change, and how they are put back. A guard is
 * taken before the command runs, and there are two kinds.
 *
 * A test or another command of a skill may do what it likes in the project; if the
 * operation fails, the files of the core and of skills are put back:
 *
 *	guard_take(project, state, tx, &guard, err)
 *	… run the command …
 *	guard_restore(guard, &kept, err)
 *
 * What the transaction touches is saved anyway, so the guard has all other files. It can
 * be interrupted at any point: guard_recover() goes on after a crash.
 *
 * A resolver has no business in the project at all, and whatever it changes is put back:
 *
 *	guard_take_all(project, state, base, apart, &guard, err)
 *	… run the command …
 *	guard_restore_all(guard, &changed, &kept, err)
 *
 * That guard has all files and links of the core, of skills and packages, and .nanoclaw,
 * and finds new files, too. It leaves out what is ignored (ignore.h), .git, and
 * .nanoclaw/index, which is a cache. It keeps no copies of the large folders in
 * .nanoclaw: a change there can only be reported.
 *
 * A file is untouched if lstat() says the same as before. Of files that differ from
 * their copy in the base, by size or time, a copy is made. A changed version goes to
 * .nanoclaw/kept when the file is put back, for a person may have changed it.
 */
#ifndef ENGINE_SESSION_GUARD_H
#define ENGINE_SESSION_GUARD_H

#include "engine/disk/rollback.h"
#include "engine/disk/transaction.h"
#include "engine/state/state.h"

struct guard;

/* The transaction must be applied. */
int guard_take(const struct project *project, const struct state *state,
	const struct transaction *tx, struct guard **ret_guard, struct error *err);

/* After a failure, and before the transaction is undone. */
int guard_restore(struct guard *guard, struct kept_list *kept, struct error *err);

/*
 * After a crash in the middle of that: go on, by the copies and by the base. Does
 * nothing if no guard was taken.
 */
int guard_recover(const struct project *project, const struct journal *journal,
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
