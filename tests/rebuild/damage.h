/*
 * One random damage to a project, as a command for the shell.
 *
 * Of .nanoclaw: the state, the base and its list, packs, patches, contents, the history,
 * what is left of an operation or a pause, a folder that is a file, any file at all. Of the
 * tree: files that are gone, and conflict markers. And packages that are gone.
 */
#ifndef REBUILD_DAMAGE_H
#define REBUILD_DAMAGE_H

#include "tree.h"

/* To be freed. It works on the tree as it was read. */
char *damage_choose(const struct tree *tree);

#endif
