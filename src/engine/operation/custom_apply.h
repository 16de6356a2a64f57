/*
 * Applies a recorded custom patch to the tree again, by three-way merge.
 *
 * The ancestor of each file is the stored file that the patch was made against, so a patch also
 * fits a file that has changed since. A change that is already in the tree counts as applied. A
 * change that does not fit is an ordinary conflict.
 */
#ifndef ENGINE_OPERATION_CUSTOM_APPLY_H
#define ENGINE_OPERATION_CUSTOM_APPLY_H

#include "engine/session/session.h"
#include "engine/state/layer.h"

/* The name of the operation in pause.yaml. */
#define CUSTOM_APPLY_OPERATION "customize apply"

/*
 * Stage the changes of one patch. Conflicts are added to the session's result.
 *
 * In a replay (restage.h), files are staged under their current names, and the person's
 * earlier decisions hold: a file that they deleted stays deleted.
 */
int custom_apply(struct session *s, const struct layer *patch, struct error *err);

/*
 * The command: by the name of the patch ("001-quieter-log", or "001" alone). Pauses
 * on a conflict.
 */
int custom_apply_named(const struct project *project, const char *name,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

#endif
