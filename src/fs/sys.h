/*
 * The one table of system calls that change the file system.
 *
 * All code that creates, writes, renames, links, removes or syncs a file calls
 * through `sys`; no other file may name these calls (tests/layers checks it).
 * The table is what makes crash safety testable: tests/harness/fault.c puts
 * wrappers into it that fail, or kill the process, at the Nth call.
 *
 * Reading needs no table. open() counts as a change only with O_CREAT or
 * O_TRUNC; other opens do not go through here.
 */
#ifndef FS_SYS_H
#define FS_SYS_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct sys_calls {
	int (*create)(int dirfd, const char *name, int flags, mode_t mode); /* openat */
	ssize_t (*write)(int fd, const void *data, size_t len);
	ssize_t (*copy_range)(int from, int to, size_t len); /* copy_file_range */
	int (*truncate)(int fd, off_t len);                  /* ftruncate */
	int (*sync)(int fd);                                 /* fsync */
	int (*sync_all)(int fd);           /* syncfs: everything on the file system of fd */
	int (*chmod)(int fd, mode_t mode); /* fchmod, of O_PATH, too */
	int (*set_times)(int dirfd, const char *name, const struct timespec times[2]);
	int (*rename)(int fromfd, const char *from, int tofd, const char *to, unsigned flags);
	int (*link)(int fromfd, const char *from, int tofd, const char *to);
	int (*symlink)(const char *target, int dirfd, const char *name);
	int (*unlink)(int dirfd, const char *name, int flags);
	int (*mkdir)(int dirfd, const char *name, mode_t mode);
};

extern struct sys_calls sys;

/* Write all of it: continues after a short write and after EINTR. */
int sys_write_all(int fd, const void *data, size_t len);

#endif
