/*
 * The files below a folder, for glob and grep.
 *
 * Links are not followed, folders that cannot be read are left out, and so are `.git` and
 * `node_modules`, unless the search begins inside of one; from '/', also /dev, /proc and /sys.
 */
#ifndef AGENT_NATIVE_TOOLS_SEARCH_SEARCH_TREE_H
#define AGENT_NATIVE_TOOLS_SEARCH_SEARCH_TREE_H

#include "base/error.h"
#include "fs/walk.h"

/*
 * Calls `function` for each entry, but not when a folder ends. `depth` limits how many folders deep
 * the search goes; SIZE_MAX: no limit.
 */
int search_tree(const char *folder, size_t depth, walk_function function, void *data,
	struct error *err);

/*
 * How a path below `folder` is shown, to be freed: from the working folder, or as an absolute
 * path, with escapes for what would break a line.
 */
char *search_tree_name(const char *working, const char *folder, const char *path);

#endif
