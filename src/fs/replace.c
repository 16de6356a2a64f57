/* The invariants I1 to I5 are in replace.h. */
#include "fs/replace.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/file.h"
#include "fs/sys.h"

/* With 64 random bits a second try is for a broken generator, not for bad luck. */
#define NAME_TRIES 8

struct temporary {
	int dirfd;
	char name[sizeof(REPLACE_PREFIX) + 16]; /* empty: there is no such file */
};

/* --- temporary names --------------------------------------------------------- */

static int temporary_choose_name(struct temporary *temp)
{
	uint64_t number;
	ssize_t n;

	do {
		n = getrandom(&number, sizeof(number), 0);
	} while (n < 0 && errno == EINTR);
	if (n != sizeof(number))
		return -1;
	snprintf(temp->name, sizeof(temp->name), REPLACE_PREFIX "%016" PRIx64, number);
	return 0;
}

/* A cleanup: [TEMPORARY] or [READY] to [DISCARDED] (I4). Keeps errno. */
static void temporary_discard(struct temporary *temp)
{
	int saved = errno;

	if (temp->name[0])
		sys.unlink(temp->dirfd, temp->name, 0);
	errno = saved;
}

/*
 * A file, which is open then, or with a `target` a symbolic link. Returns -1 with errno if it
 * fails; then no file of this name is ours.
 */
static int temporary_create(struct temporary *temp, const char *target)
{
	int result = -1;

	for (int i = 0; i < NAME_TRIES && result < 0; i++) {
		if (temporary_choose_name(temp) < 0)
			break;
		result = target ? sys.symlink(target, temp->dirfd, temp->name)
				: sys.create(temp->dirfd, temp->name,
					  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
		if (result < 0 && errno != EEXIST)
			break;
	}
	if (result < 0)
		temp->name[0] = '\0';
	return result;
}

bool replace_is_temporary(const char *name)
{
	size_t len = strlen(REPLACE_PREFIX);

	return !strncmp(name, REPLACE_PREFIX, len) && strlen(name) == len + 16 &&
	       strspn(name + len, "0123456789abcdef") == 16;
}

/* --- from [READY] to [DURABLE] ------------------------------------------------ */

/* For file systems without RENAME_NOREPLACE. Undone as a whole if it fails. */
static int temporary_link(struct temporary *temp, const char *name)
{
	if (sys.link(temp->dirfd, temp->name, temp->dirfd, name) < 0)
		return -1;
	if (sys.unlink(temp->dirfd, temp->name, 0) < 0) {
		int saved = errno;

		sys.unlink(temp->dirfd, name, 0);
		errno = saved;
		return -1;
	}
	return 0;
}

static int temporary_place(struct temporary *temp, const char *name, unsigned flags)
{
	unsigned how = flags & REPLACE_NEW ? RENAME_NOREPLACE : 0;
	int result = sys.rename(temp->dirfd, temp->name, temp->dirfd, name, how);

	/* ENOSYS: a kernel or a filter without renameat2(). */
	if (result < 0 && how && (errno == EINVAL || errno == ENOSYS))
		result = temporary_link(temp, name);
	if (result == 0)
		temp->name[0] = '\0';
	return result;
}

static int sync_dir(int dirfd, const char *name, unsigned flags, struct error *err)
{
	if (!(flags & REPLACE_NO_DIR_SYNC) && sys.sync(dirfd) < 0)
		return quote_errno(err, "sync the folder of", name);
	return 0;
}

/* --- the operations ---------------------------------------------------------- */

/* From [TEMPORARY] to [READY]. */
static int temporary_fill(const struct temporary *temp, int fd, struct view content,
	mode_t mode, const struct timespec times[2], unsigned flags)
{
	if (sys_write_all(fd, content.data, content.len) < 0)
		return -1;
	/* It was made with 0600; where modes cannot be changed, that is enough. */
	if ((mode & 07777) != 0600 && sys.chmod(fd, mode & 07777) < 0)
		return -1;
	if (times && sys.set_times(temp->dirfd, temp->name, times) < 0)
		return -1;
	if (!(flags & REPLACE_NO_FILE_SYNC) && sys.sync(fd) < 0) /* I2 */
		return -1;
	return 0;
}

int replace_file(int dirfd, const char *name, struct view content, mode_t mode,
	const struct timespec times[2], unsigned flags, struct error *err)
{
	CLEANUP(temporary_discard) struct temporary temp = {.dirfd = dirfd};
	CLEANUP(closep) int fd = -1;

	assert(dirfd >= 0 && *name && !strchr(name, '/'));
	fd = temporary_create(&temp, NULL);
	if (fd < 0)
		return quote_errno(err, "create a temporary file for", name);
	if (temporary_fill(&temp, fd, content, mode, times, flags) < 0)
		return quote_errno(err, "write", name);
	/* Network file systems report here that they could not write. */
	if (close(TAKE_FD(fd)) < 0)
		return quote_errno(err, "write", name);
	if (temporary_place(&temp, name, flags) < 0) /* I1 */
		return quote_errno(err, "put in place", name);
	return sync_dir(dirfd, name, flags, err); /* I3 */
}

int replace_prepare(int dirfd, const char *name, struct view content, mode_t mode,
	struct replacement *ret_prepared, struct error *err)
{
	CLEANUP(temporary_discard) struct temporary temp = {.dirfd = dirfd};
	CLEANUP(closep) int fd = temporary_create(&temp, NULL);

	if (fd < 0)
		return quote_errno(err, "create a temporary file for", name);
	if (temporary_fill(&temp, fd, content, mode, NULL, REPLACE_NO_FILE_SYNC) < 0 ||
		close(TAKE_FD(fd)) < 0)
		return quote_errno(err, "write", name);
	memcpy(ret_prepared->name, temp.name, sizeof(temp.name));
	temp.name[0] = '\0';
	return 0;
}

int replace_place(int dirfd, const char *name, struct replacement *prepared, struct error *err)
{
	if (sys.rename(dirfd, prepared->name, dirfd, name, 0) < 0) /* I1 */
		return quote_errno(err, "put in place", name);
	prepared->name[0] = '\0';
	return 0;
}

void replace_discard(int dirfd, struct replacement *prepared)
{
	if (prepared->name[0])
		sys.unlink(dirfd, prepared->name, 0);
	prepared->name[0] = '\0';
}

int replace_symlink(
	int dirfd, const char *name, const char *target, unsigned flags, struct error *err)
{
	CLEANUP(temporary_discard) struct temporary temp = {.dirfd = dirfd};

	assert(dirfd >= 0 && *name && !strchr(name, '/'));
	if (temporary_create(&temp, target) < 0)
		return quote_errno(err, "create a temporary link for", name);
	if (temporary_place(&temp, name, flags) < 0)
		return quote_errno(err, "put in place", name);
	return sync_dir(dirfd, name, flags, err);
}

int replace_delete(int dirfd, const char *name, unsigned flags, struct error *err)
{
	assert(dirfd >= 0 && *name && !strchr(name, '/'));
	if (sys.unlink(dirfd, name, 0) < 0)
		return quote_errno(err, "delete", name);
	return sync_dir(dirfd, name, flags, err);
}

/* --- leftovers --------------------------------------------------------------- */

int replace_clean(int dirfd, struct error *err)
{
	CLEANUP(closep) int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	if (!dir)
		return error_errno(err, "cannot search for temporary files");
	fd = -1; /* now `dir` closes it */
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (!replace_is_temporary(entry->d_name))
			continue;
		if (sys.unlink(dirfd, entry->d_name, 0) < 0 && errno != ENOENT)
			return quote_errno(err, "delete", entry->d_name);
	}
	if (errno)
		return error_errno(err, "cannot search for temporary files");
	return 0;
}
