/*
 * The names of files in layers: a layer may rename a file, and the layers above it then use the
 * new name.
 */
#ifndef ENGINE_STATE_LAYER_NAMES_H
#define ENGINE_STATE_LAYER_NAMES_H

#include "base/string_array.h"
#include "engine/state/layer.h"

/* Renames of a layer, in their order. */
struct layer_renames {
	struct string_array from;
	struct string_array to;
};

struct layer_renames layer_renames(const struct layer *layer);

/* The same from a mapping of old names to new ones. */
struct layer_renames layer_renames_at(const struct yaml_node *node, const char *key);
void layer_renames_release(struct layer_renames *renames);

/* The name that a file had before a layer, and the one that it has after it. */
struct relpath layer_name_below(const struct layer *layer, const struct relpath *path);
struct relpath layer_name_above(const struct layer *layer, const struct relpath *path);

/*
 * The name of a file when a layer is staged, if those above it have still to rename it: for a
 * layer that has later names (below).
 */
struct relpath layer_name_at(
	const struct state *state, const struct layer *layer, const struct relpath *path);

/* Has the layer renamed the file away from this name? */
bool layer_renames_away(const struct layer *layer, const struct relpath *path);

/*
 * Was it recorded when others lay on top of it already? Then it has the names that files had
 * above these: a new version of a skill, or a patch that is tied to one.
 */
bool layer_has_later_names(const struct layer *layer);

/*
 * The file that is `from` in a layer is `to` now. A patch has files by its own names: with
 * `moves`, the record says where they are; without, `path_remap` leads on from them (remap.h).
 */
void layer_rename_file(
	struct layer *layer, const struct relpath *from, const struct relpath *to, bool moves);

#endif
