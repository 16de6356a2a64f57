/*
 * The base: the core as it was before any skill, in .nanoclaw/base/.
 *
 * ignore.h decides which files of a project are core. base_for_each() visits them, and
 * base_copy() copies them. The tree may change meanwhile: a file that vanishes before its
 * turn is left out, and a file that changes while it is read is read again.
 */
#ifndef ENGINE_CORE_BASE_H
#define ENGINE_CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/core/ignore.h"
#include "fs/relpath.h"

/*
 * Call `each` for every file and symbolic link of the core in the project, in walk order.
 * `dirfd` and `name` lead to it.
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

/* The same with rules that the caller has opened (ignore.h). */
int base_for_each_by(
	int root, struct ignore *ignore, base_function each, void *data, struct error *err);

/*
 * Copy the core of the project into the empty folder `to`: contents, permissions (0644 or
 * 0755 by the owner's execute bit), modification times, and symbolic links as links.
 * Nothing is synced. Folders have 0777 & ~umask; empty ones are not made. Sockets, FIFOs and
 * devices are left out and counted.
 *
 * A file that cannot be read, or that keeps changing while it is copied, is an error with
 * its path. After an error the caller removes the folder. Copied files are added to `index`,
 * which may be NULL (stat_index.h).
 */
struct stat_index;
struct base_copy_result {
	size_t files; /* and links */
	size_t bytes;
	size_t left_out;
	const char *folders_left_out[IGNORE_FOLDERS]; /* ignore_left_out() */
	/* Why git's index could not be read (ignore_unknown()): a constant, or NULL. */
	const char *git_unknown;
};
int base_copy(int root, int to, struct stat_index *index, struct base_copy_result *ret_result,
	struct error *err);

/* The same for a folder that is already a base: all of it, without ignore rules. */
int base_copy_whole(int base, int to, struct base_copy_result *ret_result, struct error *err);

/*
 * The version of the core in the folder `root`, from the first of these that exists:
 *	VERSION		its first line
 *	package.json	"version"
 *	meson.build	`version: '1.2.3'` or `version: files('NAME')` in project()
 * Without any, it is "0.0.0" and `*ret_found` is false. A version that is not a semver, or
 * a file that cannot be parsed, is ERROR_INVALID with its name.
 */
int base_core_version(int root, char **ret_version, bool *ret_found, struct error *err);

/* The same for a core that is not in a folder. A missing file has errnum ENOENT. */
typedef int (*base_read_function)(
	const struct relpath *path, void *data, struct buf *ret_text, struct error *err);
int base_core_version_by(base_read_function read, void *data, char **ret_version,
	bool *ret_found, struct error *err);

#endif
