#include "fs/private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/sys.h"
#include "fs/walk.h"

/* An agent could make any number of files; the host uses few. */
#define MAX_ENTRIES 1000

static mode_t wanted_mode(const struct stat *st)
{
	return S_ISDIR(st->st_mode) ? 0700 : 0600 | (st->st_mode & 0100);
}

static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && (S_ISDIR(st->st_mode) || S_ISREG(st->st_mode));
}

bool private_is_locked(const struct stat *st)
{
	mode_t needed = S_ISDIR(st->st_mode) ? 0700 : 0600;

	return is_ours(st) && (st->st_mode & needed) != needed;
}

static bool is_private(const struct stat *st)
{
	return !is_ours(st) || (st->st_mode & 07777) == wanted_mode(st);
}

int private_fd(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	return is_private(&st) ? 0 : sys.chmod(fd, wanted_mode(&st));
}

int private_entry(int dirfd, const char *name)
{
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && is_private(&st))
		return 0;
	fd = openat(dirfd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -1;
	return private_fd(fd);
}

void private_entries(int root, const char *path)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;
	CLEANUP(closep) int dir = -1;
	CLEANUP(closedirp) DIR *folder = NULL;
	struct dirent *entry;

	if (relpath_parse(view_of(path), &parsed, &ignored) < 0 ||
		beneath_open_parent(root, &parsed, 0, &parent, &ignored) < 0)
		return;
	private_entry(parent, relpath_base(&parsed));
	if (beneath_open_dir(root, &parsed, &dir, &ignored) < 0)
		return;
	folder = fdopendir(dir);
	if (!folder)
		return;
	dir = -1; /* the folder's now */
	for (int i = 0; i < MAX_ENTRIES && (entry = readdir(folder)); i++)
		if (strcmp(entry->d_name, "..") != 0)
			private_entry(dirfd(folder), entry->d_name);
}

static enum walk_result mend_walked(
	const struct walk_entry *entry, void *data, struct error *err)
{
	(void)data;
	if (entry->kind != WALK_FILE && entry->kind != WALK_DIR)
		return WALK_GO_ON;
	if (private_entry(entry->dirfd, entry->name) < 0 && errno != ENOENT) {
		error_errno(err, "cannot make private: '%s'", entry->path);
		return WALK_FAIL;
	}
	/* Skip folders of other users, which we may be unable to open. */
	if (entry->kind == WALK_DIR && !is_ours(&entry->stat) && geteuid() != 0)
		return WALK_SKIP;
	return WALK_GO_ON;
}

int private_tree(int dirfd, const char *name, struct error *err)
{
	CLEANUP(closep) int fd = -1;

	if (private_entry(dirfd, name) < 0)
		return error_errno(err, "cannot make private: '%s'", name);
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : error_errno(err, "cannot open '%s'", name);
	return walk(fd, mend_walked, NULL, err);
}
