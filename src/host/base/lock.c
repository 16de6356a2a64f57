#include "host/base/lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "db/store.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "proc/log.h"

/* A store that is taken back goes with its lock: then the next try makes a new one. */
#define LOCK_TRIES 50

/* Is the open file still the one with this name? If not, another process may hold the other. */
static bool lock_has_name(int fd, int root, const char *name)
{
	CLEANUP(freep) char *path = xasprintf(STORE_FOLDER "/%s", name);
	struct stat held, named;

	return fstat(fd, &held) == 0 && fstatat(root, path, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* One try. If the folder or the lock went in the meantime, the error has ENOENT. */
static int lock_try(
	int root, const char *name, const char *busy, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = relpath_of(STORE_FOLDER);
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int fd = -1;

	if (sys.mkdir(root, STORE_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", STORE_FOLDER);
	if (beneath_open_dir(root, &path, &folder, err) < 0)
		return -1;
	fd = sys.create(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_errno(err, "cannot open '%s/%s'", STORE_FOLDER, name);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return error_errno(err, "cannot lock '%s/%s'", STORE_FOLDER, name);
		return error_set(err, ERROR_BUSY, "%s", busy);
	}
	if (!lock_has_name(fd, root, name)) {
		errno = ENOENT;
		return error_errno(err, "cannot lock '%s/%s'", STORE_FOLDER, name);
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

static int take_lock(
	int root, const char *name, const char *busy, int *ret_fd, struct error *err)
{
	for (int i = 0; i < LOCK_TRIES; i++) {
		error_clear(err);
		if (lock_try(root, name, busy, ret_fd, err) == 0)
			return 0;
		if (err->errnum != ENOENT)
			break;
	}
	return -1;
}

void lock_remove_store(int root)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int fd = openat(root, STORE_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(closedirp) DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	CLEANUP(closep) int backup = openat(fd, "backup-lock", O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			strcmp(entry->d_name, "lock") != 0 &&
			strcmp(entry->d_name, "backup-lock") != 0)
			tree_remove(fd, entry->d_name, &ignored);
	if (backup >= 0 && flock(backup, LOCK_EX | LOCK_NB) == 0)
		sys.unlink(fd, "backup-lock", 0);
	if (folder && sys.unlink(fd, "lock", 0) == 0)
		sys.unlink(root, STORE_FOLDER, AT_REMOVEDIR); /* if nobody has come */
}

int lock_take(int root, int *ret_fd, struct error *err)
{
	return take_lock(root, "lock", "the store is in use by another process", ret_fd, err);
}

void lock_sign(int lock)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d\n", getpid());

	/* Without it, 'stop' finds the host by its socket only. */
	if (sys.truncate(lock, 0) < 0 || sys.write(lock, text, (size_t)len) < 0)
		log_warning("the lock has no pid: %s", strerror(errno));
}

/* A host that was killed has left its pid, which may be another process's by now. */
static bool process_has_open(int pid, const struct stat *file)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/fd", pid);
	CLEANUP(closedirp) DIR *dir = opendir(path);
	const struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir)))
		if (fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 &&
			st.st_dev == file->st_dev && st.st_ino == file->st_ino)
			return true;
	return false;
}

int lock_host(int root)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(closep) int fd = -1;
	struct stat st;
	int pid;

	if (relpath_parse(view_of(STORE_FOLDER "/lock"), &path, &ignored) < 0 ||
		beneath_open_file(root, &path, &fd, &st, &ignored) < 0 ||
		flock(fd, LOCK_SH | LOCK_NB) == 0 ||
		file_read_fd(fd, "lock", sizeof("2147483647\n"), &text, &ignored) < 0)
		return 0;
	pid = (int)strtol(text.data, NULL, 10);
	return pid > 1 && process_has_open(pid, &st) ? pid : 0;
}

int lock_take_backup(int root, int *ret_fd, struct error *err)
{
	return take_lock(
		root, "backup-lock", "a backup is being made or restored already", ret_fd, err);
}
