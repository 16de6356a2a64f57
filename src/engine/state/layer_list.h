/*
 * The layers of a state and their order: adds, moves and drops whole layers. Layers that were
 * read before (layers_read()) are not updated.
 */
#ifndef ENGINE_STATE_LAYER_LIST_H
#define ENGINE_STATE_LAYER_LIST_H

#include "base/string_array.h"
#include "engine/state/layer.h"

/* Add the entry of a patch, or of what a rebase has baked in, after the last skill. */
void layers_add_patch(struct state *state, struct yaml_node *entry, bool baked);

/* Add the entry of a patch that is tied to an applied skill. */
void layers_tie_patch(struct state *state, const char *skill, struct yaml_node *entry);

/* Add the entry of a patch to a state that is made again, in the place that `old` had. */
void layers_add_again(struct state *state, const struct layer *old, struct yaml_node *entry);

/* A copy of the entry of a skill, with its name, and without patches that are tied to it. */
struct yaml_node *layers_copy_skill(struct yaml_doc *doc, const struct layer *skill);

/* Patches that came after the skill `from` (NULL: after none) come after `to`. */
void layers_move_patches(struct state *state, const char *from, const char *to);

/* Move a skill down, from one place in the order to another. */
void layers_move_skill(struct state *state, size_t from, size_t to);

/* Remove skills with the patches tied to them; or one patch, all patches, all layers. */
void layers_drop_skills(struct state *state, const struct string_array *skills);
void layers_drop_patch(struct state *state, const struct yaml_node *entry);
void layers_drop_patches(struct state *state);
void layers_drop_all(struct state *state);

#endif
