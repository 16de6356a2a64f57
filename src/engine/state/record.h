/*
 * The entry of a layer in state.yaml, by what its keys mean. layer.h describes the files of
 * a layer; the other keys are:
 *
 *	hashes		of a skill: path to the hashes of the ancestor (`base`), of the
 *			package's file (`skill`) and of the result (`merged`)
 *	files_added, files_modified	paths
 *	files_found	of a skill: files that it adds, and that were there before
 *	files_unsplit	what this layer and those above it make of these files is known
 *			together, and not of each
 *	file_ops	of a skill: renames and deletions, in order
 *	updated_from	of a skill: the version before
 *	contents	path to the file before and after the layer
 *	patch_file, patch_hash	of a patch
 *	moved		of a patch: its name for a file to the present one, where a skill
 *			that renamed the file is gone
 *
 * `entry` is the mapping in the state, or one that will be added to it. An entry of v0.1 may
 * be a plain string, which has none of these keys. Paths are plain here, not keys of YAML.
 */
#ifndef ENGINE_STATE_RECORD_H
#define ENGINE_STATE_RECORD_H

#include "base/string_array.h"
#include "engine/disk/tx_file.h"
#include "engine/package/manifest.h"
#include "format/yaml_build.h"

/* --- lists of files ----------------------------------------------------------------- */

enum record_list {
	RECORD_ADDED,
	RECORD_MODIFIED,
	RECORD_FOUND,
	RECORD_DELETED,
	RECORD_UNSPLIT,
};

bool record_lists(const struct yaml_node *entry, enum record_list list, struct view path);
struct string_array record_listed(const struct yaml_node *entry, enum record_list list);
void record_list_add(struct yaml_node *entry, enum record_list list, struct view path);

/* Add the path to the list, or remove it; an empty list is removed. */
void record_set_listed(
	struct yaml_node *entry, enum record_list list, struct view path, bool listed);

/* --- the author's version of a file --------------------------------------------------- */

struct record_hashes {
	bool has_base;
	struct hash base; /* of the file that the package's was merged with */
	bool has_skill;
	struct hash skill; /* of the file in the package */
};

/* False if the skill's package does not have the file, or the entry is of v0.1. */
bool record_hashes(
	const struct yaml_node *entry, struct view path, struct record_hashes *ret_hashes);
bool record_has_hashes(const struct yaml_node *entry, struct view path);
struct string_array record_hashed_paths(const struct yaml_node *entry);

/* Was the skill updated? Then `base` is of its version before, and not of the core. */
bool record_was_updated(const struct yaml_node *entry);

/* --- the layer's result for a file ---------------------------------------------------- */

struct record_part {
	struct layer_file before;
	struct layer_file after;
};

/*
 * False, and absent before and after, if that is not known. Modes are not known in the entry
 * of a patch with a file: they are in that.
 */
bool record_part(const struct yaml_node *entry, struct view path, struct record_part *ret_part);
void record_set_part(struct yaml_node *entry, struct view path, const struct record_part *part);
size_t record_part_count(const struct yaml_node *entry);
struct string_array record_part_paths(const struct yaml_node *entry);
void record_clear_parts(struct yaml_node *entry);

/* --- renames and deletions ------------------------------------------------------------ */

/* File operations of a skill, in the order in which they were done. */
struct record_ops {
	struct file_op *list;
	size_t count;
	size_t cap;
};

struct record_ops record_ops(const struct yaml_node *entry);
void record_ops_release(struct record_ops *ops);

/* Add a rename, or with `to` NULL a deletion. */
void record_add_op(
	struct yaml_node *entry, const struct relpath *from, const struct relpath *to);

/* Of a patch, which has no operations. */
void record_add_rename(
	struct yaml_node *entry, const struct relpath *from, const struct relpath *to);

/* --- patches -------------------------------------------------------------------------- */

/* NULL for the layer of a rebase, which has no file. */
const char *record_patch_file(const struct yaml_node *entry);

/* False in an entry of v0.1. */
bool record_patch_hash(const struct yaml_node *entry, struct hash *ret_hash);
void record_set_patch(struct yaml_node *entry, const char *file, struct view text);

/* The present name of a file that the patch calls `path`. */
struct relpath record_moved(const struct yaml_node *entry, const struct relpath *path);

/* A new entry for the one patch of v0.1, which is in two keys of its skill; NULL if none. */
struct yaml_node *record_first_patch(const struct yaml_node *skill);

/* --- all of an entry ------------------------------------------------------------------ */

/* Forget the file in this layer, as if the layer never had it. */
void record_drop_file(struct yaml_node *entry, struct view path);

/* Replace all facts about files by those of `from`. Nodes are shared. */
void record_take_files(struct yaml_node *entry, const struct yaml_node *from);

/* Copy the facts that applying the skill again does not produce from an earlier entry. */
void record_keep_facts(struct yaml_node *entry, const struct yaml_node *old);

/* Does it have what its skill declares for structured files, and its test? */
bool record_has_declared(const struct yaml_node *entry);

#endif
