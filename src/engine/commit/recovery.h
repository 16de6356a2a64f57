/*
 * Recovery after a crash: restores the project exactly as it was before the interrupted
 * operation, or completes the operation. Every command does this first.
 *
 *	tx without journal		nothing was changed: remove it
 *	tx/journal			undo; later edits by a person stay
 *	tx/journal and tx/armed		the same, and restore other files that its commands
 *					may have changed (guard.h)
 *	tx/journal and tx/aborting	it was being undone: continue, and also restore all
 *					files that its commands changed
 *	tx/done, tx/paused, tx/undone	committed: finish
 *	backup/aborting			abort had not begun: still paused
 */
#ifndef ENGINE_COMMIT_RECOVERY_H
#define ENGINE_COMMIT_RECOVERY_H

#include <stdbool.h>

#include "engine/disk/project.h"
#include "engine/disk/rollback.h"

struct recovery {
	char *operation; /* the one that was undone, or NULL */
	struct kept_list kept;
	char *reinstall; /* node_modules may be in between: what to type; or NULL */
};

#define RECOVERY_INIT ((struct recovery){0})

/* Is there anything left of an interrupted operation? */
bool recovery_needed(const struct project *project);

/* The project must be locked. */
int recovery_run(
	const struct project *project, struct recovery *ret_recovery, struct error *err);

/*
 * Undo a paused operation, by marking it as interrupted. Files that were edited since the pause
 * are saved. If this is interrupted, recovery_run() continues.
 */
int recovery_abort(
	const struct project *project, struct recovery *ret_recovery, struct error *err);

void recovery_release(struct recovery *recovery);

#endif
