/*
 * The parts of restage.c.
 */
#ifndef ENGINE_OPERATION_RESTAGE_PARTS_H
#define ENGINE_OPERATION_RESTAGE_PARTS_H

#include "engine/operation/restage.h"
#include "engine/stack/layer.h"

/* restage_skill.c: stage one skill; `entry` becomes its entry in the state. */
int restage_skill(
	struct session *s, const struct layer *old, struct yaml_node *entry, struct error *err);

#endif
