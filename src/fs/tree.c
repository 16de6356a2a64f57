#include "fs/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/private.h"
#include "fs/sys.h"
#include "fs/walk.h"

#define COPY_SIZE (64 * 1024)

/* --- removing ---------------------------------------------------------------- */

static enum walk_result remove_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	int flags = entry->kind == WALK_DIR_END ? AT_REMOVEDIR : 0;

	(void)data;
	if (entry->kind == WALK_DIR) {
		/* The owner may remove folders that an agent has locked. */
		if (private_is_locked(&entry->stat))
			private_entry(entry->dirfd, entry->name);
		return WALK_GO_ON;
	}
	if (sys.unlink(entry->dirfd, entry->name, flags) < 0 && errno != ENOENT) {
		quote_errno(err, "remove", entry->path);
		return WALK_FAIL;
	}
	return WALK_GO_ON;
}

static int remove_dir(int dirfd, const char *name, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : quote_errno(err, "open folder", name);
	if (walk(fd, remove_entry, NULL, err) < 0)
		return -1;
	if (sys.unlink(dirfd, name, AT_REMOVEDIR) < 0 && errno != ENOENT)
		return quote_errno(err, "remove", name);
	return 0;
}

int tree_remove(int dirfd, const char *name, struct error *err)
{
	struct stat st;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : quote_errno(err, "access", name);
	if (S_ISDIR(st.st_mode)) {
		if (private_is_locked(&st))
			private_entry(dirfd, name);
		return remove_dir(dirfd, name, err);
	}
	if (sys.unlink(dirfd, name, 0) < 0 && errno != ENOENT)
		return quote_errno(err, "remove", name);
	return 0;
}

/* --- copying ----------------------------------------------------------------- */

static int copy_by_hand(int from, int to)
{
	CLEANUP(freep) char *piece = xmalloc(COPY_SIZE);
	ssize_t n;

	while ((n = read(from, piece, COPY_SIZE)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || sys_write_all(to, piece, (size_t)n) < 0)
			return -1;
	}
	return 0;
}

/* Whether copy_file_range() is unsupported here, rather than failing. */
static bool is_unsupported(int errnum)
{
	return errnum == EINVAL || errnum == ENOSYS || errnum == EOPNOTSUPP ||
	       errnum == EPERM || errnum == EXDEV;
}

int tree_copy_content(int from, int to)
{
	for (;;) {
		ssize_t n = sys.copy_range(from, to, 1 << 30);

		if (n > 0 || (n < 0 && errno == EINTR))
			continue;
		/* Some file systems return 0 for files of unknown size. */
		if (n == 0 || is_unsupported(errno))
			return copy_by_hand(from, to);
		return -1;
	}
}

static int copy_into(
	int from, const struct stat *st, int tofd, const char *to, struct error *err)
{
	CLEANUP(closep)
	int fd = sys.create(tofd, to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);

	if (fd < 0)
		return quote_errno(err, "create", to);
	if (tree_copy_content(from, fd) < 0 || sys.chmod(fd, st->st_mode & 07777) < 0) {
		quote_errno(err, "write", to);
		sys.unlink(tofd, to, 0);
		return -1;
	}
	return 0;
}

int tree_remove_empty(int dirfd, const char *name, struct error *err)
{
	if (sys.unlink(dirfd, name, AT_REMOVEDIR) < 0 && errno == EIO)
		return error_errno(err, "cannot remove the folder '%s'", name);
	return 0;
}

int tree_copy_file(int fromfd, const char *from, int tofd, const char *to, struct error *err)
{
	CLEANUP(closep)
	int fd =
		openat(fromfd, from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return quote_errno(err, "open", from);
	if (!S_ISREG(st.st_mode)) {
		CLEANUP(freep) char *shown = quote(view_of(from));

		return error_set(err, ERROR_INVALID, "%s is not a regular file", shown);
	}
	return copy_into(fd, &st, tofd, to, err);
}

int tree_copy_link(int fromfd, const char *from, int tofd, const char *to, struct error *err)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(fromfd, from, target, sizeof(target) - 1);

	if (len < 0)
		return quote_errno(err, "read the link", from);
	target[len] = '\0';
	if (sys.symlink(target, tofd, to) < 0)
		return quote_errno(err, "make the link", to);
	return 0;
}
