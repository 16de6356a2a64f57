#include "engine/maintain/copies.h"

#include <errno.h>
#include <fcntl.h>

#include "engine/core/base.h"
#include "fs/beneath.h"
#include "fs/replace.h"

int copy_open_folder(int in, const char *name, int *ret_fd, struct error *err)
{
	*ret_fd = openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return *ret_fd < 0 ? error_errno(err, "cannot open the folder '%s'", name) : 0;
}

int copy_make_folder(int in, const char *name, int *ret_fd, struct error *err)
{
	if (sys.mkdir(in, name, 0777) < 0)
		return error_errno(err, "cannot create the folder '%s'", name);
	return copy_open_folder(in, name, ret_fd, err);
}

int copy_folder(int from, int root, const char *to, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;
	CLEANUP(closep) int fd = -1;
	struct base_copy_result ignored;

	if (relpath_parse(view_of(to), &path, err) < 0 ||
		beneath_open_parent(root, &path, BENEATH_CREATE, &parent, err) < 0 ||
		copy_make_folder(parent, relpath_base(&path), &fd, err) < 0)
		return -1;
	return base_copy_whole(from, fd, &ignored, err);
}

int copy_folder_if_there(
	int from, const char *name, int root, const char *to, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int fd = -1;

	if (relpath_parse(view_of(name), &path, err) < 0)
		return -1;
	if (beneath_open_dir(from, &path, &fd, &missing) == 0)
		return copy_folder(fd, root, to, err);
	if (missing.errnum == ENOENT || missing.errnum == ENOTDIR)
		return 0;
	return error_move(err, &missing);
}

int copy_put(
	int root, const struct relpath *path, const struct tx_file *file, struct error *err)
{
	const unsigned flags = REPLACE_NEW | REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC;
	CLEANUP(closep) int folder = -1;

	if (beneath_open_parent(root, path, BENEATH_CREATE, &folder, err) < 0)
		return -1;
	if (file->kind == TX_SYMLINK)
		return replace_symlink(
			folder, relpath_base(path), file->content.data, flags, err);
	return replace_file(folder, relpath_base(path), view_of_buf(&file->content),
		file->mode & S_IXUSR ? 0755 : 0644, NULL, flags, err);
}

static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

struct sys_calls copy_skip_syncs(void)
{
	struct sys_calls before = sys;

	sys.sync = no_sync;
	sys.sync_all = no_sync;
	return before;
}
