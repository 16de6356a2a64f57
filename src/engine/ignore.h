/*
 * What is not part of the core: git's ignore rules, with or without git, and
 * NanoClaw's own list.
 *
 * Never part of it, at any depth: .git, .nanoclaw, node_modules, .env.
 * At the root also: groups, data, store, logs, dist, build.
 * Then what .gitignore files exclude (all of them, at every depth, and
 * .git/info/exclude, by git's rules), but never a file that git tracks.
 * A .nanoclaw-ignore at the root, in the same syntax, comes last and may add to
 * all this or take from it (`!data/`); only .git, .nanoclaw and .env stay out
 * whatever it says. Packages (.claude/skills/X and skills/X that hold a
 * manifest.yaml), .claude/resolutions and updates are left out in any case.
 */
#ifndef ENGINE_IGNORE_H
#define ENGINE_IGNORE_H

#include <stdbool.h>

#include "util/error.h"

struct ignore;

/* Rules of the project whose open folder is `root`. */
int ignore_open(int root, struct ignore **ret_ignore, struct error *err);

/*
 * To be asked in the order of a walk (walk.h): a folder before what is in it.
 * If a folder is excluded, nothing in it needs to be asked, except where it says
 * so in *ret_enter: a tracked file may lie below an excluded folder.
 */
int ignore_excludes(struct ignore *ignore, const char *path, bool is_folder, bool *ret_excluded,
	bool *ret_enter, struct error *err);

void ignore_free(struct ignore *ignore);
void ignore_freep(struct ignore **ignore);

#endif
