/*
 * Read objects of the project's repository with the program `git`, which can read all of
 * them: packed and loose objects, alternates, worktrees, any kind of refs, SHA-256.
 *
 * The repository is always the .git of the root; the environment cannot change that. Nothing
 * is written or fetched, and the index is not read: an object that only a promisor remote has
 * is missing. Only the repository's own configuration is used.
 */
#ifndef ENGINE_CORE_CORE_GIT_H
#define ENGINE_CORE_CORE_GIT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/*
 * Run a git command and return its output of at most `max` bytes. `argv` begins after "git"
 * and ends in NULL. A command that fails is ERROR_INVALID with its message, and so are a root
 * without .git and a machine without git.
 */
int core_git_run(int root, const char *const *argv, struct view input, size_t max,
	struct buf *ret_out, struct error *err);

/* The name of the commit that a ref or an expression means. ERROR_INVALID if it means none. */
int core_git_commit(int root, const char *ref, char **ret_commit, struct error *err);

/* A line of ls-tree, which ends in NUL: "100644 blob 5f3c…", with `-l` a size, a tab, a path. */
struct core_git_entry {
	struct view mode;
	struct view type;
	struct view object;
	size_t size;
	struct view path;
};

int core_git_parse_entry(struct view line, struct core_git_entry *ret_entry, struct error *err);

/*
 * The contents of blobs, given by their full names, in order. All are in memory together;
 * more than `max` bytes are an error.
 */
typedef int (*core_git_function)(
	size_t number, struct view content, void *data, struct error *err);
int core_git_contents(int root, const char *const *objects, size_t count, size_t max,
	core_git_function each, void *data, struct error *err);

#endif
