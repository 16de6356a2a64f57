#include "fs/beneath.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"

/* openat2() gives up with EAGAIN when names move while it looks. */
#define OPENAT2_TRIES 32

static bool without_openat2;

void beneath_force_fallback(bool forced)
{
	without_openat2 = forced;
}

/* --- opening: returns a descriptor, or -1 and errno; ELOOP is a symbolic link - */

/* One component. Without O_PATH at the end, a link is ELOOP or, as a directory, ENOTDIR. */
static int open_component(int dirfd, const char *name, int flags)
{
	int fd = openat(dirfd, name, flags | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 || errno != ENOTDIR)
		return fd;
	if (!fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode))
		errno = ELOOP;
	else
		errno = ENOTDIR;
	return -1;
}

/* Component by component: every step is relative to a directory that is held open. */
static int open_walking(int root, const char *path, int flags)
{
	struct view rest = view_of(path);
	struct view component;
	CLEANUP(closep) int dir = -1;

	while (relpath_next(&rest, &component)) {
		char name[RELPATH_COMPONENT_MAX + 1];
		bool last = !rest.len;
		int fd;

		assert(component.len < sizeof(name));
		memcpy(name, component.data, component.len);
		name[component.len] = '\0';
		fd = open_component(
			dir >= 0 ? dir : root, name, last ? flags : O_PATH | O_DIRECTORY);
		if (fd < 0 || last)
			return fd;
		closep(&dir);
		dir = fd;
	}
	errno = EINVAL;
	return -1;
}

static int open_beneath(int root, const char *path, int flags)
{
	/* O_PATH is to give the link at the end; otherwise it is to fail, with ELOOP. */
	int last = flags & O_PATH ? O_NOFOLLOW : 0;
	struct open_how how = {
		.flags = (unsigned)(flags | last | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS,
	};

	for (int i = 0; i < OPENAT2_TRIES && !without_openat2; i++) {
		long fd = syscall(SYS_openat2, root, path, &how, sizeof(how));

		if (fd >= 0)
			return (int)fd;
		if (errno == ENOSYS || errno == EPERM)
			break;
		if (errno != EAGAIN && errno != EINTR)
			return -1;
	}
	return open_walking(root, path, flags);
}

/* --- messages ---------------------------------------------------------------- */

/* Reports a failed call; `what` is its verb, and errno the reason. */
static int beneath_errno(struct error *err, const char *what, const struct relpath *path)
{
	int errnum = errno;
	CLEANUP(freep) char *shown = path ? relpath_quote(path) : xstrdup("the root folder");

	if (errnum == ELOOP) {
		error_set(err, ERROR_INVALID, "cannot %s %s: a symbolic link is in the way",
			what, shown);
		err->errnum = ELOOP;
		return -1;
	}
	errno = errnum;
	return error_errno(err, "cannot %s %s", what, shown);
}

static const char *mode_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFBLK:
	case S_IFCHR:
		return "a device";
	case S_IFDIR:
		return "a directory";
	case S_IFIFO:
		return "a FIFO";
	case S_IFLNK:
		return "a symbolic link";
	case S_IFREG:
		return "a regular file";
	case S_IFSOCK:
		return "a socket";
	default:
		return "of an unknown kind";
	}
}

static int beneath_wrong_kind(
	struct error *err, const struct relpath *path, mode_t mode, const char *wanted)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	error_set(err, ERROR_INVALID, "%s is %s, not %s", shown, mode_name(mode), wanted);
	if (S_ISDIR(mode))
		err->errnum = EISDIR;
	return -1;
}

/* --- reading ----------------------------------------------------------------- */

int beneath_open_dir(int root, const struct relpath *path, int *ret_fd, struct error *err)
{
	int flags = O_RDONLY | O_DIRECTORY;
	int fd = path ? open_beneath(root, path->text, flags)
		      : openat(root, ".", flags | O_CLOEXEC);

	if (fd < 0)
		return beneath_errno(err, "open folder", path);
	*ret_fd = fd;
	return 0;
}

int beneath_open_file(int root, const struct relpath *path, int *ret_fd, struct stat *ret_stat,
	struct error *err)
{
	/* O_NONBLOCK: a FIFO without a writer must not hold us up; files do not care. */
	CLEANUP(closep)
	int fd = open_beneath(root, path->text, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	struct stat st = {0};

	if (fd < 0) {
		/* A socket, or a device that nothing drives. */
		if (errno == ENXIO || errno == ENODEV) {
			if (beneath_stat(root, path, &st, err) < 0)
				return -1;
			return beneath_wrong_kind(err, path, st.st_mode, "a regular file");
		}
		return beneath_errno(err, "open", path);
	}
	if (fstat(fd, &st) < 0)
		return beneath_errno(err, "access", path);
	if (!S_ISREG(st.st_mode))
		return beneath_wrong_kind(err, path, st.st_mode, "a regular file");
	if (ret_stat)
		*ret_stat = st;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

int beneath_stat(int root, const struct relpath *path, struct stat *ret_stat, struct error *err)
{
	CLEANUP(closep) int fd = open_beneath(root, path->text, O_PATH);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return beneath_errno(err, "access", path);
	*ret_stat = st;
	return 0;
}

bool beneath_is_absent(const struct error *err)
{
	return err->errnum == ENOENT || err->errnum == ENOTDIR || err->errnum == ELOOP;
}

int beneath_read(int root, const struct relpath *path, size_t max, struct buf *ret_text,
	struct error *err)
{
	CLEANUP(closep) int fd = -1;

	if (beneath_open_file(root, path, &fd, NULL, err) < 0)
		return -1;
	return file_read_fd(fd, path->text, max, ret_text, err);
}

int beneath_read_link(
	int root, const struct relpath *path, struct buf *ret_target, struct error *err)
{
	CLEANUP(closep) int fd = open_beneath(root, path->text, O_PATH);
	char target[PATH_MAX];
	struct stat st;
	ssize_t len;

	if (fd < 0 || fstat(fd, &st) < 0)
		return beneath_errno(err, "access", path);
	if (!S_ISLNK(st.st_mode))
		return beneath_wrong_kind(err, path, st.st_mode, "a symbolic link");
	len = readlinkat(fd, "", target, sizeof(target));
	if (len < 0)
		return beneath_errno(err, "read the symbolic link", path);
	buf_clear(ret_target);
	buf_append(ret_target, target, (size_t)len);
	return 0;
}

/* --- parents ----------------------------------------------------------------- */

/* Enter `name`, making it if it is missing; returns a descriptor, or -1 and errno. */
static int make_folder(int dir, const char *name, unsigned flags)
{
	int fd = open_component(dir, name, O_RDONLY | O_DIRECTORY);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	/* It is fine if another process creates it first. */
	if (sys.mkdir(dir, name, 0777) < 0 && errno != EEXIST)
		return -1;
	if (flags & BENEATH_SYNC && sys.sync(dir) < 0)
		return -1;
	return open_component(dir, name, O_RDONLY | O_DIRECTORY);
}

static int make_parents(int root, const struct relpath *parent, unsigned flags)
{
	struct view rest = relpath_view(parent);
	struct view component;
	CLEANUP(closep) int dir = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (dir >= 0 && relpath_next(&rest, &component)) {
		CLEANUP(freep) char *name = xmemdupz(component.data, component.len);
		int fd = make_folder(dir, name, flags);

		closep(&dir);
		dir = fd;
	}
	return TAKE_FD(dir);
}

int beneath_open_parent(
	int root, const struct relpath *path, unsigned flags, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parent = RELPATH_INIT;
	int fd;

	if (!relpath_parent(path, &parent))
		return beneath_open_dir(root, NULL, ret_fd, err);
	fd = open_beneath(root, parent.text, O_RDONLY | O_DIRECTORY);
	if (fd < 0 && errno == ENOENT && flags & BENEATH_CREATE) {
		fd = make_parents(root, &parent, flags);
		if (fd < 0)
			return beneath_errno(err, "make folder", &parent);
	}
	if (fd < 0)
		return beneath_errno(err, "open folder", &parent);
	*ret_fd = fd;
	return 0;
}

/* --- paths in text ------------------------------------------------------------ */

int beneath_path_read(
	int root, const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;

	if (relpath_parse(view_of(path), &parsed, err) < 0)
		return -1;
	return beneath_read(root, &parsed, max, ret_text, err);
}

int beneath_path_read_if(
	int root, const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;

	if (beneath_path_read(root, path, max, ret_text, &missing) == 0)
		return 0;
	buf_clear(ret_text);
	return missing.errnum == ENOENT ? 0 : error_move(err, &missing);
}

int beneath_path_open_dir(int root, const char *path, int *ret_fd, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;

	if (relpath_parse(view_of(path), &parsed, err) < 0)
		return -1;
	return beneath_open_dir(root, &parsed, ret_fd, err);
}

int beneath_path_open_dir_if(int root, const char *path, int *ret_fd, struct error *err)
{
	CLEANUP(error_release) struct error missing = ERROR_INIT;

	if (beneath_path_open_dir(root, path, ret_fd, &missing) == 0)
		return 0;
	*ret_fd = -1;
	return missing.errnum == ENOENT ? 0 : error_move(err, &missing);
}

int beneath_path_write(
	int root, const char *path, struct view content, mode_t mode, struct error *err)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(closep) int parent = -1;

	if (relpath_parse(view_of(path), &parsed, err) < 0 ||
		beneath_open_parent(root, &parsed, BENEATH_CREATE, &parent, err) < 0)
		return -1;
	return replace_file(parent, relpath_base(&parsed), content, mode, NULL, 0, err);
}
