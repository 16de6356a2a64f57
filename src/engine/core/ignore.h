/*
 * Which files are not part of the core: git's ignore rules, with or without git, and
 * NanoClaw's own list.
 *
 *	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
 *
 *	if (ignore_open(root, &ignore, err) < 0)
 *		return -1;
 *	if (ignore_excludes(ignore, "src", true, &excluded, &enter, err) < 0)
 *		return -1;
 *
 * Excluded are, in this order:
 *
 *  - at any depth .git, .nanoclaw, node_modules and .env;
 *  - a person's data: at the root groups, data, store, logs, dist and build, and at any
 *    depth names that begin with .env, except .env.example. If the base has files there, or
 *    before there is a base, if git tracks some, then these files are core, and only the
 *    others are data;
 *  - files that .gitignore files (at every depth) and .git/info/exclude exclude by git's
 *    rules, unless git tracks them;
 *  - packages (.claude/skills/X and skills/X with a manifest.yaml) with the list of their
 *    test matrix (matrix_list.h), .claude/resolutions and updates.
 *
 * A .nanoclaw-ignore at the root, in the same syntax, can add to the first three or include
 * files again (`!data/`), except .git, .nanoclaw and .env.
 *
 * A rule for a name is for files, folders and links of that name. As in git, a file in an
 * excluded folder cannot be included by itself, only with the folder: `!data/keep` does
 * nothing without `!data/`. In a folder that is included again, all other rules apply.
 *
 * git itself is never started, and its configuration is not read, so core.excludesFile and
 * core.ignorecase have no effect. The repository is the .git of the root, a folder or (in
 * worktrees and submodules) a file that names one; a repository around the root and files
 * of submodules do not count. Its index is read only when a rule excludes an existing path.
 * If the index cannot be read (see gitindex.h), tracked files that .gitignore excludes are
 * left out too, and ignore_unknown() says so. Like git, we do not read a .gitignore that is
 * a symbolic link.
 */
#ifndef ENGINE_CORE_IGNORE_H
#define ENGINE_CORE_IGNORE_H

#include <stdbool.h>

#include "base/error.h"
#include "engine/core/gitignore.h"
#include "fs/relpath.h"

struct ignore;

/* Rules of the project whose open folder is `root`, which must stay open. */
int ignore_open(int root, struct ignore **ret_ignore, struct error *err);

/*
 * Works for any path, and is fastest in the order of a walk (walk.h): a folder, and then
 * its files. If a folder is excluded, so is everything in it, unless *ret_enter is true:
 * then a tracked file may lie below it. `path` need not exist.
 */
int ignore_excludes(struct ignore *ignore, const char *path, bool is_folder, bool *ret_excluded,
	bool *ret_enter, struct error *err);

/* The same for a single file, with the folders above it. */
int ignore_excludes_file(struct ignore *ignore, const struct relpath *path, bool *ret_excluded,
	struct error *err);

/*
 * Is the path a person's data, as above? No package and no update may touch it. This
 * includes other spellings that some file systems treat as the same name.
 */
bool ignore_is_persons(struct ignore *ignore, const struct relpath *path);

/* An earlier version of this core has the path, so its folders are the core's. */
void ignore_know(struct ignore *ignore, const struct relpath *path);

/*
 * The folders of the root that were left out so far, and that .gitignore does not exclude:
 * IGNORE_FOLDERS constants or NULLs.
 */
#define IGNORE_FOLDERS 6
const char *const *ignore_left_out(const struct ignore *ignore);

/*
 * For a core in a commit: all its files are tracked, so only .nanoclaw-ignore (`own`) and
 * node_modules count. The caller must leave out packages.
 */
bool ignore_excludes_tracked(const struct gitignore *own, const char *path);

/*
 * Why git's index could not be read ("it is split"), as a constant; NULL if it could, or
 * was not needed so far.
 */
const char *ignore_unknown(const struct ignore *ignore);

void ignore_free(struct ignore *ignore);
void ignore_freep(struct ignore **ignore);

#endif
