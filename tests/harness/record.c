#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/view.h"
#include "fs/sys.h"

static struct sys_calls real;
static int out = -1;
static const char *root;
static long children; /* by what is known of those that have ended */

/* --- records ----------------------------------------------------------------- */

/* The path below the root, or NULL. `name` is NULL for `fd` itself. */
static const char *path_of(int fd, const char *name, char ret_path[static PATH_MAX])
{
	char link[32], folder[PATH_MAX - 256];
	size_t len = strlen(root);
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(fd == AT_FDCWD ? "/proc/self/cwd" : link, folder, sizeof(folder) - 1);
	if (name && name[0] == '/')
		n = 0;
	if (n < 0)
		return NULL;
	folder[n] = '\0';
	snprintf(ret_path, PATH_MAX, "%s%s%s", folder, name && n ? "/" : "", name ? name : "");
	if (strncmp(ret_path, root, len) != 0 || (ret_path[len] && ret_path[len] != '/'))
		return NULL;
	return ret_path + len + (ret_path[len] == '/');
}

static void emit(enum record_kind kind, unsigned long number, const char *path,
	const char *other, struct view data)
{
	CLEANUP(buf_release) struct buf record = BUF_INIT;
	int saved = errno;

	if (!path)
		return;
	buf_appendf(&record, "%c %lu %zu %zu %zu\n", (char)kind, number, strlen(path),
		other ? strlen(other) : 0, data.len);
	buf_append_str(&record, path);
	buf_append_str(&record, other ? other : "");
	buf_append(&record, data.data, data.len);
	if (write(out, record.data, record.len) != (ssize_t)record.len)
		_exit(98);
	errno = saved;
}

static void emit_at(enum record_kind kind, unsigned long number, int fd, const char *name)
{
	char path[PATH_MAX];

	emit(kind, number, path_of(fd, name, path), NULL, (struct view){0});
}

static void emit_two(enum record_kind kind, unsigned long number, int fromfd, const char *from,
	int tofd, const char *to)
{
	char first[PATH_MAX], second[PATH_MAX];
	const char *path = path_of(fromfd, from, first);
	const char *other = path_of(tofd, to, second);

	emit(kind, number, other ? path : NULL, other, (struct view){0});
}

/* What was written to `fd` from `begin` to where it stands now. */
static void emit_content(int fd, off_t begin)
{
	CLEANUP(buf_release) struct buf data = BUF_INIT;
	off_t end = lseek(fd, 0, SEEK_CUR);
	char link[32], path[PATH_MAX];
	CLEANUP(closep) int in = -1;

	if (begin < 0 || end <= begin)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	in = open(link, O_RDONLY | O_CLOEXEC);
	buf_reserve(&data, (size_t)(end - begin));
	if (in < 0 || pread(in, data.data, (size_t)(end - begin), begin) != end - begin)
		return;
	buf_set_len(&data, (size_t)(end - begin));
	emit(RECORD_CONTENT, (unsigned long)begin, path_of(fd, NULL, path), NULL,
		view_of_buf(&data));
}

/* --- what others have changed ------------------------------------------------ */

static int emit_there(const char *path, const struct stat *st, int type, struct FTW *where)
{
	CLEANUP(buf_release) struct buf data = BUF_INIT;
	char relative[PATH_MAX];
	ssize_t n = 0;

	(void)type;
	if (where->level == 0 ||
		!(S_ISREG(st->st_mode) || S_ISLNK(st->st_mode) || S_ISDIR(st->st_mode)))
		return 0;
	buf_reserve(&data, (size_t)st->st_size + 1);
	if (S_ISREG(st->st_mode)) {
		CLEANUP(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

		n = read(fd, data.data, (size_t)st->st_size);
	} else if (S_ISLNK(st->st_mode)) {
		n = readlink(path, data.data, (size_t)st->st_size);
	}
	buf_set_len(&data, n > 0 ? (size_t)n : 0);
	emit(RECORD_THERE, st->st_mode, path_of(AT_FDCWD, path, relative), NULL,
		view_of_buf(&data));
	return 0;
}

static void look_around(void)
{
	struct rusage usage;
	int saved = errno;

	getrusage(RUSAGE_CHILDREN, &usage);
	if (usage.ru_minflt != children) {
		children = usage.ru_minflt;
		nftw(root, emit_there, 16, FTW_PHYS);
		emit(RECORD_THERE_END, 0, "", NULL, (struct view){0});
	}
	errno = saved;
}

/* --- the table --------------------------------------------------------------- */

static int record_create(int dirfd, const char *name, int flags, mode_t mode)
{
	struct stat st;
	int fd;

	look_around();
	fd = real.create(dirfd, name, flags, mode);
	if (fd >= 0 && fstat(fd, &st) == 0) {
		emit_at(RECORD_CREATE, st.st_mode & 07777, dirfd, name);
		if (flags & O_TRUNC)
			emit_at(RECORD_LENGTH, 0, dirfd, name);
	}
	return fd;
}

static ssize_t record_write(int fd, const void *data, size_t len)
{
	off_t begin;
	ssize_t n;

	look_around();
	begin = lseek(fd, 0, SEEK_CUR);
	n = real.write(fd, data, len);
	if (n > 0)
		emit_content(fd, begin);
	return n;
}

static ssize_t record_copy_range(int from, int to, size_t len)
{
	off_t begin;
	ssize_t n;

	look_around();
	begin = lseek(to, 0, SEEK_CUR);
	n = real.copy_range(from, to, len);
	if (n > 0)
		emit_content(to, begin);
	return n;
}

static int record_truncate(int fd, off_t len)
{
	int result;

	look_around();
	result = real.truncate(fd, len);
	if (result == 0)
		emit_at(RECORD_LENGTH, (unsigned long)len, fd, NULL);
	return result;
}

/* Nobody cuts the power of this machine: it is enough to know when a sync would be. */
static int record_sync(int fd)
{
	look_around();
	emit_at(RECORD_SYNC, 0, fd, NULL);
	return 0;
}

static int record_sync_all(int fd)
{
	look_around();
	emit_at(RECORD_SYNC_ALL, 0, fd, NULL);
	return 0;
}

static int record_chmod(int fd, mode_t mode)
{
	int result;

	look_around();
	result = real.chmod(fd, mode);
	if (result == 0)
		emit_at(RECORD_MODE, mode & 07777, fd, NULL);
	return result;
}

static int record_set_times(int dirfd, const char *name, const struct timespec times[2])
{
	char path[PATH_MAX];
	int result;

	look_around();
	result = real.set_times(dirfd, name, times);
	if (result == 0)
		emit(RECORD_TIMES, 0, path_of(dirfd, name, path), NULL,
			(struct view){(const char *)&times[1], sizeof(times[1])});
	return result;
}

static int record_rename(int fromfd, const char *from, int tofd, const char *to, unsigned flags)
{
	int result;

	look_around();
	result = real.rename(fromfd, from, tofd, to, flags);
	if (result == 0)
		emit_two(
			RECORD_RENAME, flags & RENAME_EXCHANGE ? 1 : 0, fromfd, from, tofd, to);
	return result;
}

static int record_link(int fromfd, const char *from, int tofd, const char *to)
{
	int result;

	look_around();
	if (getenv("NANOCLAW_RECORD_COPIES")) {
		errno = EPERM;
		return -1;
	}
	result = real.link(fromfd, from, tofd, to);
	if (result == 0)
		emit_two(RECORD_LINK, 0, fromfd, from, tofd, to);
	return result;
}

static int record_symlink(const char *target, int dirfd, const char *name)
{
	char path[PATH_MAX];
	int result;

	look_around();
	result = real.symlink(target, dirfd, name);
	if (result == 0)
		emit(RECORD_SYMLINK, 0, path_of(dirfd, name, path), NULL, view_of(target));
	return result;
}

static int record_unlink(int dirfd, const char *name, int flags)
{
	int result;

	look_around();
	result = real.unlink(dirfd, name, flags);
	if (result == 0)
		emit_at(RECORD_UNLINK, 0, dirfd, name);
	return result;
}

static int record_mkdir(int dirfd, const char *name, mode_t mode)
{
	struct stat st;
	int result;

	look_around();
	result = real.mkdir(dirfd, name, mode);
	if (result == 0 && fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		emit_at(RECORD_MKDIR, st.st_mode & 07777, dirfd, name);
	return result;
}

static void __attribute__((constructor)) record_from_environment(void)
{
	const char *file = getenv("NANOCLAW_RECORD");

	root = getenv("NANOCLAW_RECORD_TREE");
	if (!file || !root)
		return;
	out = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (out < 0)
		_exit(98);
	real = sys;
	sys = (struct sys_calls){
		.create = record_create,
		.write = record_write,
		.copy_range = record_copy_range,
		.truncate = record_truncate,
		.sync = record_sync,
		.sync_all = record_sync_all,
		.chmod = record_chmod,
		.set_times = record_set_times,
		.rename = record_rename,
		.link = record_link,
		.symlink = record_symlink,
		.unlink = record_unlink,
		.mkdir = record_mkdir,
	};
}
