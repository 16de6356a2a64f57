#include "fs/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int real_create(int dirfd, const char *name, int flags, mode_t mode)
{
	return openat(dirfd, name, flags | O_CLOEXEC, mode);
}

static ssize_t real_copy_range(int from, int to, size_t len)
{
	return copy_file_range(from, NULL, to, NULL, len, 0);
}

static int real_set_times(int dirfd, const char *name, const struct timespec times[2])
{
	return utimensat(dirfd, name, times, AT_SYMLINK_NOFOLLOW);
}

static int real_rename(int fromfd, const char *from, int tofd, const char *to, unsigned flags)
{
	/* Older versions of musl have no function for it. */
	return (int)syscall(SYS_renameat2, fromfd, from, tofd, to, flags);
}

static int real_link(int fromfd, const char *from, int tofd, const char *to)
{
	return linkat(fromfd, from, tofd, to, 0);
}

/* Also of a file that its owner may not open now: through a descriptor of O_PATH. */
static int real_chmod(int fd, mode_t mode)
{
	char path[32];

	if (fchmod(fd, mode) == 0)
		return 0;
	if (errno != EBADF)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return chmod(path, mode);
}

struct sys_calls sys = {
	.create = real_create,
	.write = write,
	.copy_range = real_copy_range,
	.truncate = ftruncate,
	.sync = fsync,
	.sync_all = syncfs,
	.chmod = real_chmod,
	.set_times = real_set_times,
	.rename = real_rename,
	.link = real_link,
	.symlink = symlinkat,
	.unlink = unlinkat,
	.mkdir = mkdirat,
};

int sys_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = sys.write(fd, p, len);

		if (n < 0) {
			if (errno == EINTR)
				continue;
			return -1;
		}
		p += n;
		len -= (size_t)n;
	}
	return 0;
}
