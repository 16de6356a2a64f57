/*
 * The base: the core as it was before any skill, in .nanoclaw/base/.
 */
#ifndef ENGINE_BASE_H
#define ENGINE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "util/error.h"

/*
 * Call `each` for every file and symbolic link of the core that lies in the
 * project, in the order of a walk. `dirfd` and `name` lead to it.
 */
struct base_entry {
	const char *path; /* any bytes: file names need not be UTF-8 */
	int dirfd;
	const char *name;
	bool is_symlink;
	const struct stat *stat;
};
typedef int (*base_function)(const struct base_entry *entry, void *data, struct error *err);
int base_for_each(int root, base_function each, void *data, struct error *err);

/*
 * Copy the core of the project into the empty folder `to`: contents, permissions
 * (0644 or 0755 by the owner's execute bit), times, symbolic links as links.
 * Nothing is synced. Folders that would be empty are not made. Files that are
 * neither regular nor links (sockets, FIFOs) are left out and counted.
 */
struct base_copy_result {
	size_t files;
	size_t bytes;
	size_t left_out;
};
int base_copy(int root, int to, struct base_copy_result *ret_result, struct error *err);

/*
 * The version of the core: VERSION, package.json, meson.build, first found, in
 * the folder `root`. If there is none it is "0.0.0" and `*ret_found` is false.
 * A version that is no semver is ERROR_INVALID with its file.
 */
int base_core_version(int root, char **ret_version, bool *ret_found, struct error *err);

#endif
