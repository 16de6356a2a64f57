/*
 * Put a recorded custom patch into the tree again, by three-way merge.
 *
 * The ancestor of each file is what the patch was made against, which is kept; so it
 * fits also where the file looks different by now. A change that is in the tree
 * already counts as made. What does not fit is a conflict as any other.
 */
#ifndef ENGINE_OPERATION_CUSTOM_APPLY_H
#define ENGINE_OPERATION_CUSTOM_APPLY_H

#include "engine/session/session.h"
#include "engine/state/layer.h"

/* As it is called where it is paused. */
#define CUSTOM_APPLY_OPERATION "customize apply"

/*
 * Stage the changes of one patch. Conflicts are added to the session's result.
 *
 * In a replay (restage.h) only what is made again is staged, under the name that it has
 * now, and what the person wanted then holds: a file that they deleted is deleted. A file
 * that they changed and that is not there any more is a decision.
 */
int custom_apply(struct session *s, const struct layer *patch, struct error *err);

/*
 * The command: by the name of the patch ("001-quieter-log", or "001" alone). Pauses
 * on a conflict.
 */
int custom_apply_named(const struct project *project, const char *name,
	const struct apply_options *options, struct apply_result *ret_result,
	struct error *err);

#endif
