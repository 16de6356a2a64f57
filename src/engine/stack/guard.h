/*
 * Files that an operation does not touch, and that its commands might.
 *
 * A test or another command of a skill can change any file of the project. What
 * the transaction touches is saved anyway; a guard remembers all other files of
 * the core and of skills, so that they can be put back if the operation fails.
 *
 * It looks at every such file once. Copied are those of skills and patches, and those
 * that the person changed: size or time differ from the copy in the base.
 */
#ifndef ENGINE_STACK_GUARD_H
#define ENGINE_STACK_GUARD_H

#include "engine/disk/rollback.h"
#include "engine/disk/transaction.h"
#include "engine/stack/state.h"

struct guard;

/* Before the commands run; the transaction must be applied. */
int guard_take(const struct project *project, const struct state *state,
	const struct transaction *tx, struct guard **ret_guard, struct error *err);

/*
 * After a failure, and before the transaction is undone: put back what is not as
 * it was. The changed version is kept aside, and named in `kept`.
 */
int guard_restore(struct guard *guard, struct kept_list *kept, struct error *err);

/*
 * After a crash in the middle of that: go on, by the copies and by the base. Does
 * nothing if no guard was taken.
 */
int guard_recover(const struct project *project, const struct journal *journal,
	struct kept_list *kept, struct error *err);

void guard_free(struct guard *guard);
void guard_freep(struct guard **guard);

#endif
