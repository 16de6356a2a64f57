#include "host/base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include "db/store.h"
#include "fs/beneath.h"
#include "fs/sys.h"

static int take_lock(
	int root, const char *name, const char *busy, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int folder = -1;
	CLEANUP(closep) int fd = -1;

	if (sys.mkdir(root, STORE_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", STORE_FOLDER);
	if (relpath_parse(view_of(STORE_FOLDER), &path, err) < 0 ||
		beneath_open_dir(root, &path, &folder, err) < 0)
		return -1;
	fd = sys.create(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW, 0600);
	if (fd < 0)
		return error_errno(err, "cannot open '%s/%s'", STORE_FOLDER, name);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return error_errno(err, "cannot lock '%s/%s'", STORE_FOLDER, name);
		return error_set(err, ERROR_BUSY, "%s", busy);
	}
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int lock_take(int root, int *ret_fd, struct error *err)
{
	return take_lock(root, "lock", "the store is in use by another process", ret_fd, err);
}

int lock_take_backup(int root, int *ret_fd, struct error *err)
{
	return take_lock(
		root, "backup-lock", "a backup is being made or restored already", ret_fd, err);
}
