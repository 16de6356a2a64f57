/*
 * Reading a whole file.
 *
 * file_read() is for a path that the user typed: it follows symbolic links and
 * reads a pipe such as /dev/stdin to its end. For a path from a package, a
 * manifest or a journal there is beneath_read().
 *
 * The content replaces what `*ret_text` held, which must be a valid buffer. A
 * file of more than `max` bytes is refused with ERROR_INVALID; the size is not
 * taken from stat(), so a file that grows or lies about its size is no danger.
 */
#ifndef FS_FILE_H
#define FS_FILE_H

#include <dirent.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/string_array.h"

int file_read(const char *path, size_t max, struct buf *ret_text, struct error *err);

/* Reads from the current offset of `fd`; `path` is for messages. */
int file_read_fd(int fd, const char *path, size_t max, struct buf *ret_text, struct error *err);

/* The names in a folder, sorted, without `.` and `..`. Returns -1 with errno. */
int file_names(int dirfd, const char *path, struct string_array *ret_names);

/* Entries of one kind (S_IFREG, S_IFDIR), the last changed first. */
int file_names_newest(int dirfd, const char *path, mode_t kind, struct string_array *ret_names);

/* A cleanup for a folder that is read with readdir(). */
void closedirp(DIR **dir);

#endif
