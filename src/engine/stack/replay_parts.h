/*
 * The parts of replay.c: for replay*.c only.
 */
#ifndef ENGINE_STACK_REPLAY_PARTS_H
#define ENGINE_STACK_REPLAY_PARTS_H

#include "engine/stack/replay.h"

/* replay_scope.c: fill `paths` and `renames`, from the old state. */
int replay_find_scope(struct replay *replay, const struct layers *layers, struct error *err);

/* Is anything that the layer touched made again? */
bool replay_concerns(const struct replay *replay, const struct layer *layer);

/* `path_remap` as it would be if no layer had renamed anything. */
void replay_reset_remap(
	const struct replay *replay, const struct layers *layers, struct state *state);

/* replay_skill.c: stage one skill; `entry` becomes its entry in the state. */
int replay_skill(struct session *s, struct replay *replay, const struct layer *old,
	struct yaml_node *entry, struct error *err);

/*
 * replay_flatten.c: stage what the layer has made of a file, as it is recorded, and set it
 * in `entry` (regenerate.h). What custom patches below it had changed is left out where it
 * can be told apart. `*ret_done` is false if that is not known, or if it is a structured
 * file, which is more than what is recorded.
 */
int replay_flatten(struct session *s, const struct replay *replay, const struct layer *layer,
	const struct relpath *path, struct yaml_node *entry, struct layer_file *ret_made,
	bool *ret_done, struct error *err);

#endif
