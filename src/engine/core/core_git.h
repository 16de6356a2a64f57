/*
 * Objects of the project's repository, read through the program `git`, so that whatever git can
 * read counts: packed and loose objects, alternates, worktrees, any kind of refs, SHA-256.
 *
 * The repository is the .git of the root and no other, whatever the environment says. Nothing
 * is written, the index is not looked at, and nothing is fetched: an object that a remote has
 * promised, and that is not here, is missing. Only the repository's own configuration counts.
 */
#ifndef ENGINE_CORE_CORE_GIT_H
#define ENGINE_CORE_CORE_GIT_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/*
 * What a command of git prints, which is at most `max` bytes: `argv` begins behind "git" and
 * ends in NULL. A command that fails is ERROR_INVALID with what it said; so are a root without
 * .git, and a machine without git.
 */
int core_git_run(int root, const char *const *argv, struct view input, size_t max,
	struct buf *ret_out, struct error *err);

/*
 * The contents of blobs, whose names are in full, in their order. All of them are in memory
 * together, and more than `max` bytes are an error.
 */
typedef int (*core_git_function)(
	size_t number, struct view content, void *data, struct error *err);
int core_git_contents(int root, const char *const *objects, size_t count, size_t max,
	core_git_function each, void *data, struct error *err);

#endif
