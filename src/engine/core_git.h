/*
 * Files of a commit, read from the project's repository through the program `git`, so that
 * whatever git can read counts: packed and loose objects, alternates, worktrees, SHA-256.
 *
 * Nothing is written, not even the index is looked at, and nothing is fetched: an object that
 * is promised by a remote and is not here is missing.
 */
#ifndef ENGINE_CORE_GIT_H
#define ENGINE_CORE_GIT_H

#include "util/buf.h"
#include "util/error.h"
#include "util/view.h"

/* The content of a blob. */
int core_git_read(int root, const char *object, struct buf *ret_content, struct error *err);

#endif
