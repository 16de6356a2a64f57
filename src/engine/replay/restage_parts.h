/*
 * The parts of restage.c.
 */
#ifndef ENGINE_REPLAY_RESTAGE_PARTS_H
#define ENGINE_REPLAY_RESTAGE_PARTS_H

#include "engine/replay/restage.h"
#include "engine/state/layer.h"

/* restage_skill.c: stage one skill; `entry` becomes its entry in the state. */
int restage_skill(
	struct session *s, const struct layer *old, struct yaml_node *entry, struct error *err);

#endif
