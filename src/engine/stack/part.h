/*
 * The part of a layer in a file: the file before the layer and after it, instead of the change
 * that its author wrote.
 *
 *	part_set(s, entry, &path, &before, &after, err)
 *
 * A skill is replayed from its package, and a custom patch from its patch. After an update of
 * the core or a rebase, these still describe the old core, and would have to be merged again
 * each time. A part replaces them for one file: replaying the layer on top of `before` gives
 * exactly `after`, mode and deletion included, without a merge; on top of any other file the
 * two are merged with `before` as the ancestor. The package of the skill, as it was applied
 * (pack.h), is kept: it is the ancestor for a new version of the skill.
 *
 * In the entry of the layer in state.yaml (record.h):
 *
 *	contents:
 *	  src/index.ts:
 *	    before: HASH	not there: it was absent
 *	    before_mode: "100755"	or "120000" (a link); a plain file has none
 *	    after: HASH
 *	    after_mode: "100755"
 *
 * The contents themselves are kept in .nanoclaw/objects, with the session's other changes.
 */
#ifndef ENGINE_STACK_PART_H
#define ENGINE_STACK_PART_H

#include "engine/session/session.h"
#include "engine/state/layer.h"

/*
 * `entry` belongs to a skill or patch in the session's state, or will be added to it. Its
 * result for the file (layer_set()) is set, too. Anything but a file or link counts as absent.
 */
int part_set(struct session *s, struct yaml_node *entry, const struct relpath *path,
	const struct tx_file *before, const struct tx_file *after, struct error *err);

/* Is the file of this layer made so? Of a patch that has a patch file it never is. */
bool part_has(const struct layer *layer, struct view path);

/* Both sides. The layer must have the file. */
int part_get(struct session *s, const struct layer *layer, const struct relpath *path,
	struct tx_file *ret_before, struct tx_file *ret_after, struct error *err);

/*
 * Replay it: stage the file on top of the changes staged so far. `then` is its name in the
 * layer, `now` its present name. A conflict is added to the session's result. `*ret_made` is
 * the result.
 */
int part_stage(struct session *s, const struct layer *layer, const struct relpath *then,
	const struct relpath *now, struct layer_file *ret_made, struct error *err);

/* The same for all files of a layer that has nothing else. */
int part_stage_all(struct session *s, const struct layer *layer, struct error *err);

/*
 * At the end of an operation: if the last layer that has a file holds a part, make that part
 * produce the recorded file.
 */
int part_follow_record(struct session *s, struct error *err);

#endif
