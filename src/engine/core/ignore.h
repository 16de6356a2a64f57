/*
 * What is not part of the core: git's ignore rules, with or without git, and
 * NanoClaw's own list.
 *
 *	CLEANUP(ignore_freep) struct ignore *ignore = NULL;
 *
 *	if (ignore_open(root, &ignore, err) < 0)
 *		return -1;
 *	if (ignore_excludes(ignore, "src", true, &excluded, &enter, err) < 0)
 *		return -1;
 *
 * Never part of it, at any depth: .git, .nanoclaw, node_modules, .env.
 * A person's, unless they are the core's: at the root groups, data, store, logs, dist
 * and build, and at any depth names that begin with .env, but for .env.example. They are the
 * core's if the base has files there or, before there is a base, if git tracks some; then these
 * files are core, and others beside them are data.
 * Then what .gitignore files exclude (all of them, at every depth, and
 * .git/info/exclude, by git's rules), but never a file that git tracks.
 * A .nanoclaw-ignore at the root, in the same syntax, comes last and may add to
 * all this or take from it (`!data/`); only .git, .nanoclaw and .env stay out
 * whatever it says. Packages (.claude/skills/X and skills/X that hold a
 * manifest.yaml) with the list of what to test them in (matrix_list.h),
 * .claude/resolutions and updates are left out in any case.
 *
 * Names count whatever they are names of: files, folders, links. As in git, what
 * lies in an excluded folder cannot be taken back by itself, only with the folder:
 * `!data/keep` does nothing unless `!data/` is there, too. In a folder that is
 * taken back all the other rules go on.
 *
 * git itself is never started, and nothing of its configuration is read, so
 * core.excludesFile and core.ignorecase do not count. The repository is the .git
 * of the root, a folder or (in worktrees and submodules) a file that names one;
 * a repository around the root does not count, nor does what a submodule tracks.
 * Its index is read only when a rule excludes something that is there. If it
 * cannot be understood (see gitindex.h), what .gitignore excludes is left out,
 * tracked or not, and ignore_unknown() says so. Like git, a .gitignore that is a
 * symbolic link is not read.
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
 * Any path may be asked about, at the least cost in the order of a walk (walk.h):
 * a folder and then what is in it. If a folder is excluded, so is everything in
 * it, except where it says so in *ret_enter: a tracked file may lie below an
 * excluded folder. Whether `path` exists does not matter; folders above it that
 * do not are taken for ordinary ones.
 */
int ignore_excludes(struct ignore *ignore, const char *path, bool is_folder, bool *ret_excluded,
	bool *ret_enter, struct error *err);

/* The same for a single file, with the folders above it. */
int ignore_excludes_file(struct ignore *ignore, const struct relpath *path, bool *ret_excluded,
	struct error *err);

/*
 * Is the path a person's: one of the folders or files above, and not the core's? No package and
 * no update may touch it. Other spellings count that some file system takes for the same name.
 */
bool ignore_is_persons(struct ignore *ignore, const struct relpath *path);

/* An earlier version of this core has the path: what it leads through is the core's. */
void ignore_know(struct ignore *ignore, const struct relpath *path);

/* The folders of the root that were left out so far: IGNORE_FOLDERS constants, each may be NULL. */
#define IGNORE_FOLDERS 6
const char *const *ignore_left_out(const struct ignore *ignore);

/*
 * For a core that is in no folder, but in a commit: all its files are tracked, so that only
 * .nanoclaw-ignore and node_modules count. `own` are the rules of its .nanoclaw-ignore. Packages are for the
 * caller to find.
 */
bool ignore_excludes_tracked(const struct gitignore *own, const char *path);

/*
 * Why git's index could not be asked in the questions so far ("it is split"), as
 * a constant; NULL if it could, or was not needed.
 */
const char *ignore_unknown(const struct ignore *ignore);

void ignore_free(struct ignore *ignore);
void ignore_freep(struct ignore **ignore);

#endif
