/*
 * The layers on top of the core: applied skills and custom patches.
 *
 * Each layer has an entry in state.yaml, which records its result for each file that it
 * touched:
 *
 *	file_hashes	path to the hash of the file afterwards; of a symbolic link,
 *			the hash of where it leads
 *	modes		path to "100755" (executable) or "120000" (a symbolic link);
 *			plain files are left out. An entry without `modes` is from v0.1:
 *			then nothing is known
 *	files_deleted	paths that are gone afterwards
 *	renames		old path to new path; the old one is in files_deleted, too
 *
 * The other keys of an entry are in record.h.
 *
 * Their order: a skill, the patches that are tied to it, the changes that a rebase baked in
 * while it was the last skill (rebase.h), the patches that were recorded while it was, the
 * next skill. The last layer that has a path defines the expected state of that file
 * (recorded.h).
 */
#ifndef ENGINE_STATE_LAYER_H
#define ENGINE_STATE_LAYER_H

#include <stdbool.h>

#include "base/string_array.h"
#include "engine/disk/tx_file.h"
#include "engine/state/state.h"

enum layer_kind {
	LAYER_SKILL,
	LAYER_PATCH,
};

struct layer {
	enum layer_kind kind;
	char *name;        /* of the skill; of a patch: 001-quieter, its file's name */
	const char *skill; /* of a patch that is tied to a skill: that; else NULL */
	bool baked;        /* a patch without a file: all that a rebase has baked in */
	struct yaml_node *node;
};

/* The name of the layer that a rebase creates. */
#define LAYER_BAKED_NAME "baked"

struct layers {
	struct layer *list;
	size_t count;
	size_t cap;
};

#define LAYERS_INIT ((struct layers){0})

/* The layers of a state, which must not change meanwhile. */
int layers_read(const struct state *state, struct layers *ret_layers, struct error *err);
void layers_release(struct layers *layers);

/* False if the layer did not touch the path. */
bool layer_get(const struct layer *layer, struct view path, struct layer_file *ret_file);

/* Does the entry have everything that is recorded today? Entries of v0.1 do not. */
bool layer_is_complete(const struct layer *layer);

/* Set the result of the layer for a path, in its entry of state.yaml. */
void layer_set(struct yaml_node *entry, struct view path, const struct layer_file *file);

/*
 * When something changed a file that belongs to `skill`: the same for the last of the
 * layers above it that have the path, since that one counts.
 */
int layers_note(const struct state *state, const char *skill, struct view path,
	const struct layer_file *file, struct error *err);

/*
 * When a state is read: is every path in its layers one that may be recorded, and does
 * the entry of a patch have hashes where there should be some? Faults are ERROR_INVALID
 * with their place.
 */
int layers_check(const struct state *state, struct error *err);

/* Every path of a layer. */
typedef void (*layer_function)(struct view path, const struct layer_file *file, void *data);
void layer_each(const struct layer *layer, layer_function each, void *data);

/* The same as a list, to which the paths are added. */
void layer_add_paths(const struct layer *layer, struct string_array *paths);

#endif
