/*
 * Where the repository of a working tree is, to read from it.
 *
 * `.git` is the folder itself, or a file with a line `gitdir: PATH`, as in
 * worktrees and submodules; PATH may lead anywhere. A worktree shares most of its
 * repository with others: that part is in another folder, named by `commondir`.
 */
#ifndef ENGINE_CORE_GITDIR_H
#define ENGINE_CORE_GITDIR_H

struct gitdir {
	int fd;              /* holds `index` and HEAD; -1: there is no repository */
	int common;          /* holds `info/exclude` and the objects; the same or another */
	const char *unknown; /* why it could not be opened though it is there, or NULL */
};

#define GITDIR_INIT ((struct gitdir){.fd = -1, .common = -1})

/* Of the working tree whose open folder is `root`. */
void gitdir_open(int root, struct gitdir *ret_gitdir);

void gitdir_release(struct gitdir *gitdir);

#endif
