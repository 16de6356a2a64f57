/*
 * Find the repository of a working tree, to read from it.
 *
 * `.git` is the folder itself, or a file with a line `gitdir: PATH`, as in
 * worktrees and submodules; PATH may lead anywhere. A worktree shares most of its
 * repository with others: that part is in another folder, named by `commondir`.
 */
#ifndef ENGINE_CORE_GITDIR_H
#define ENGINE_CORE_GITDIR_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

struct gitdir {
	int fd;              /* has `index` and HEAD; -1: there is no repository */
	int common;          /* has `info/exclude` and the objects; may be the same */
	const char *unknown; /* why an existing one could not be opened, or NULL */
};

#define GITDIR_INIT ((struct gitdir){.fd = -1, .common = -1})

/* Of the working tree whose open folder is `root`. */
void gitdir_open(int root, struct gitdir *ret_gitdir);

void gitdir_release(struct gitdir *gitdir);

/* --- settings -------------------------------------------------------------------- */

/*
 * Single settings of git, read without git.
 *
 *	CLEANUP(gitconfig_release) struct gitconfig config = GITCONFIG_INIT;
 *
 *	gitconfig_read(gitdir.common, &config);
 *	if (gitconfig_bool(&config, "rerere", "enabled") == 1)
 *		...
 *
 * The files are /etc/gitconfig, $XDG_CONFIG_HOME/git/config (or ~/.config/git/config),
 * ~/.gitconfig and the repository's `config`; later ones override earlier ones. A file that
 * is missing, unreadable or larger than GITCONFIG_MAX_SIZE is skipped. After a syntax error
 * the rest of a file is skipped, where git would refuse to work.
 *
 * Not read are included files, `config.worktree`, a system file outside /etc, and settings
 * in the environment (GIT_CONFIG_…).
 */
#define GITCONFIG_MAX_SIZE ((size_t)1024 * 1024)
#define GITCONFIG_FILES    4

struct gitconfig {
	struct buf files[GITCONFIG_FILES];
};

#define GITCONFIG_INIT ((struct gitconfig){{BUF_INIT, BUF_INIT, BUF_INIT, BUF_INIT}})

/* `common` is the one of struct gitdir, or -1. */
void gitconfig_read(int common, struct gitconfig *ret_config);

void gitconfig_release(struct gitconfig *config);

/*
 * The last value of `section.key`, both in lower case; false if it is not set. As in git, a
 * key without `=` has the value "true".
 */
bool gitconfig_value(const struct gitconfig *config, const char *section, const char *key,
	struct buf *ret_value);

/* 1 or 0, as git reads it; -1: not set, or not a boolean. */
int gitconfig_bool(const struct gitconfig *config, const char *section, const char *key);

/* The same from one text. */
bool gitconfig_find(
	struct view text, const char *section, const char *key, struct buf *ret_value);

#endif
