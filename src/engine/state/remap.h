/*
 * Finds files that a package knows by an older name: `path_remap` in state.yaml maps old paths
 * to new ones.
 *
 * A skill that renames a file adds to it, and so does an update of the core. Packages are never
 * changed: their paths are resolved when they are applied.
 *
 *	CLEANUP(relpath_release) struct relpath real = remap_resolve(&state, NULL, &path);
 *
 * Entries may form chains, but no cycles, and never lead out of the project or into .git,
 * .nanoclaw or .env: remap_check() ensures that when the state is read. Symbolic links on the
 * way are detected when the file is opened (beneath.h).
 */
#ifndef ENGINE_STATE_REMAP_H
#define ENGINE_STATE_REMAP_H

#include "engine/state/layer_names.h"

/* Check the mapping as it was read; faults are ERROR_INVALID with their place. */
int remap_check(const struct yaml_node *root, struct error *err);

/*
 * The present path of a file that a package names. A path that is no old name, or that an
 * applied skill has reused for a new file, stays as it is. `layer` is the entry of a skill
 * that is being added to the state (layer.h), or NULL.
 */
struct relpath remap_resolve(
	const struct state *state, const struct yaml_node *layer, const struct relpath *path);

/* Is the path an old name that a new file of an applied skill uses now? */
bool remap_is_reused(
	const struct state *state, const struct yaml_node *layer, const struct relpath *path);

/* The end of the chain that begins at the path, even if the path is in use again. */
struct relpath remap_follow(const struct state *state, const struct relpath *path);

/* The inverse: all old names that lead to a path. */
void remap_origins(const struct state *state, const struct relpath *path,
	struct relpath_list *ret_origins);

/*
 * A file was renamed. Entries that lead to the old name now lead to the new one. No entry leads
 * to itself: a file that has its first name again has no entry.
 */
void remap_add(struct state *state, const struct relpath *from, const struct relpath *to);

/* All entries, from old to new. */
struct layer_renames remap_pairs(const struct state *state);

/* The path is no longer an old name. */
void remap_forget(struct state *state, struct view path);

/*
 * Would one of the two names mean two files? That is so if it is the old name of another file.
 * Then a rename cannot be followed.
 */
bool remap_is_ambiguous(
	const struct state *state, const struct relpath *from, const struct relpath *to);

/*
 * When layers are gone from the state, or are staged again: `before` are all layers that there
 * were. The mapping is that of the core's renames alone, or also of the layers that are left.
 */
void remap_reset(struct state *state, const struct layers *before);
int remap_rebuild(struct state *state, const struct layers *before, struct error *err);

/* The skill that added the file which is at this path now, or NULL. */
const struct applied_skill *remap_adder(
	const struct state *state, const struct yaml_node *layer, const struct relpath *path);

#endif
