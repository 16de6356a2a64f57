/*
 * Files below a directory, without races.
 *
 * A check such as "is any part of this path a symbolic link?" followed by an open() can be
 * cheated: somebody creates the link in between. Here the check and the open are one step.
 * Whatever somebody else does to the tree meanwhile, a path given to these functions
 *	- never leads outside `root`;
 *	- never goes through a symbolic link, not even one that stays inside;
 *	- never blocks on a FIFO or reads from a device.
 *
 * The calling sequence for a change to one file:
 *
 *	CLEANUP(closep) int dir = -1;
 *
 *	if (beneath_open_parent(root, &path, BENEATH_CREATE, &dir, err) < 0)
 *		return -1;
 *	return replace_file(dir, relpath_base(&path), content, mode, NULL, 0, err);
 *
 * Errors:
 *	a symbolic link is in the way		ERROR_INVALID, errnum ELOOP
 *	not a regular file			ERROR_INVALID, errnum 0 or EISDIR
 *	it is not there				ERROR_FAILED, errnum ENOENT
 *	a file where a folder should be		ERROR_FAILED, errnum ENOTDIR
 *	anything else				ERROR_FAILED and its errnum
 *
 * On Linux 5.6 and later the kernel does it all in openat2(). Where that is
 * missing, or a container's filter forbids it, the path is opened component by
 * component with O_NOFOLLOW, which keeps the same promises in more calls.
 *
 * `root` is an open directory. `path` may be NULL where it says so, and then
 * means the root itself.
 */
#ifndef FS_BENEATH_H
#define FS_BENEATH_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/error.h"
#include "fs/relpath.h"

enum beneath_flags {
	BENEATH_CREATE = 1 << 0, /* make the parents that are missing, mode 0777 & ~umask */
	BENEATH_SYNC = 1 << 1,   /* and sync each directory in which one was made */
};

/* `path` may be NULL. The descriptor is good for reading names and for sync. */
int beneath_open_dir(int root, const struct relpath *path, int *ret_fd, struct error *err);

/*
 * A regular file, for reading. `ret_stat` may be NULL; it is about the very file
 * that was opened.
 */
int beneath_open_file(int root, const struct relpath *path, int *ret_fd, struct stat *ret_stat,
	struct error *err);

/*
 * The directory that holds, or will hold, relpath_base(path). Parents that were
 * made before a failure stay.
 */
int beneath_open_parent(
	int root, const struct relpath *path, unsigned flags, int *ret_fd, struct error *err);

/* As lstat(): of a symbolic link at the end of the path itself. */
int beneath_stat(
	int root, const struct relpath *path, struct stat *ret_stat, struct error *err);

/* Did the call fail because the path does not exist, or a file or link is in the way? */
bool beneath_is_absent(const struct error *err);

/* A whole regular file. `*ret_text` and `max` are as in file.h. */
int beneath_read(int root, const struct relpath *path, size_t max, struct buf *ret_text,
	struct error *err);

/* Where the symbolic link at the end of the path points to: any text, unchecked. */
int beneath_read_link(
	int root, const struct relpath *path, struct buf *ret_target, struct error *err);

/*
 * For a path that is still a text: the same after relpath_parse().
 *
 * beneath_path_read_if() leaves `*ret_text` empty if there is no such file, and
 * beneath_path_open_dir_if() leaves -1 in `*ret_fd` if there is no such folder.
 * beneath_path_write() makes parents that are missing.
 */
int beneath_path_read(
	int root, const char *path, size_t max, struct buf *ret_text, struct error *err);
int beneath_path_read_if(
	int root, const char *path, size_t max, struct buf *ret_text, struct error *err);
int beneath_path_open_dir(int root, const char *path, int *ret_fd, struct error *err);
int beneath_path_open_dir_if(int root, const char *path, int *ret_fd, struct error *err);
int beneath_path_write(
	int root, const char *path, struct view content, mode_t mode, struct error *err);

/* For tests: do not use openat2(), as on a kernel without it. */
void beneath_force_fallback(bool forced);

#endif
