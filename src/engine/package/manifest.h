/*
 * manifest.yaml of a skill package.
 *
 * Manifests of the TypeScript engine are read as they are: unknown keys give a
 * note, `structured` may be missing, null, `{}` or have empty members.
 */
#ifndef ENGINE_PACKAGE_MANIFEST_H
#define ENGINE_PACKAGE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "base/string_array.h"
#include "engine/package/faults.h"
#include "format/yaml.h"
#include "fs/relpath.h"

/* The version of the files that the skills engine keeps. */
#define SKILLS_SYSTEM_VERSION "0.1.0"

#define SKILL_NAME_MAX 100

#define MANIFEST_MAX_FILE_OPS 1000

/* A path, with its place in the manifest for messages. */
struct manifest_path {
	struct relpath path;
	struct yaml_place at;
};

struct manifest_paths {
	struct manifest_path *list; /* in the order of the manifest */
	size_t count;
	size_t cap;
	size_t *sorted; /* indexes sorted by path, for manifest_adds() and the like */
};

/* The name of another skill in `depends`, `conflicts` or `tested_with`. */
struct manifest_reference {
	char *skill;
	char *version; /* of "telegram@1.0.0", or NULL */
	struct yaml_place at;
};

struct manifest_references {
	struct manifest_reference *list;
	size_t count;
	size_t cap;
};

struct manifest_base_hash {
	struct relpath path;
	struct hash hash;
	struct yaml_place at;
};

enum file_op_type {
	FILE_OP_RENAME, /* "rename" and "move" are the same thing */
	FILE_OP_DELETE,
};

struct file_op {
	enum file_op_type type;
	struct relpath from; /* the file to rename or delete */
	struct relpath to;   /* of a rename */
	struct yaml_place at;
};

struct manifest {
	struct yaml_doc *doc; /* the parsed document; owns the nodes below */
	char *skill;
	char *version;
	char *description;  /* "" if not given */
	char *core_version; /* the core that the skill was written against */
	char *author;       /* these may be NULL */
	char *license;
	char *min_skills_system_version;
	char *test;
	struct string_array post_apply; /* commands */
	struct manifest_paths adds;
	struct manifest_paths modifies;
	struct file_op *file_ops;
	size_t file_op_count;
	struct manifest_references depends;
	struct manifest_references conflicts;
	struct manifest_references tested_with;
	struct manifest_base_hash *base_hashes;
	size_t base_hash_count;
	const struct yaml_node *structured; /* NULL if it declares nothing */
};

#define MANIFEST_INIT ((struct manifest){0})

/*
 * Read a manifest. All faults of the text itself go to `faults`, each with its
 * place (`name`:line:column): missing and wrongly typed fields, bad versions,
 * unsafe and protected paths (relpath.h), paths that are listed twice or that
 * are one and the same on a file system that ignores case, a path both added and
 * modified, a path that is a folder of another, file operations that contradict
 * each other or the files of the skill, a skill that depends on itself or is named
 * like a path. `*ret_manifest` is always valid to release; it is
 * complete only if there is no error among the faults.
 *
 * A skill's name has letters, digits and `._-`, at most SKILL_NAME_MAX of them,
 * and begins with a letter, a digit or `_`.
 */
void manifest_parse(struct view text, const char *name, struct manifest *ret_manifest,
	struct faults *faults);

/* The fault in a skill's name, to print after it; NULL if the name is valid. */
const char *manifest_wrong_in_name(struct view name);

bool manifest_adds(const struct manifest *manifest, const struct relpath *path);
bool manifest_modifies(const struct manifest *manifest, const struct relpath *path);
bool manifest_depends_on(const struct manifest *manifest, const char *skill);
bool manifest_conflicts_with(const struct manifest *manifest, const char *skill);

/* The path in the list, or NULL. */
const struct manifest_path *manifest_paths_find(
	const struct manifest_paths *paths, const struct relpath *path);

/*
 * The member `file_ops`, of a manifest or of a document like it: operations that
 * contradict each other, or the files of the skill, are faults.
 */
void manifest_read_file_ops(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults);

/* Does the path lead to `.env` or a file like it (relpath_is_env()), which hold secrets? */
bool manifest_path_is_secret(const struct relpath *path);

/*
 * Fails with ERROR_INVALID if the skill needs a newer skills system than ours. The manifest
 * itself is right, so manifest_parse() does not report this.
 */
int manifest_require_system(const struct manifest *manifest, struct error *err);

/* The hash that `base_hashes` gives for the path, or NULL. */
const struct hash *manifest_base_hash(
	const struct manifest *manifest, const struct relpath *path);

void manifest_release(struct manifest *manifest);

/* --- parts of manifest_parse() (manifest_paths.c); `node` is NULL if it is missing --- */

void manifest_read_paths(const struct yaml_node *node, const char *what,
	struct manifest_paths *ret_paths, struct faults *faults);
void manifest_read_base_hashes(
	const struct yaml_node *node, struct manifest *manifest, struct faults *faults);

/* Paths of `adds` and `modifies` that get in each other's way. */
void manifest_check_collisions(const struct manifest *manifest, struct faults *faults);

#endif
