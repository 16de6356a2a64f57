#include "fs/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"

#define READ_SIZE (64 * 1024)

int file_read_fd(int fd, const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *shown = NULL;
	struct stat st;
	ssize_t n;

	/* Where the size is known, all room at once: growing costs more than reading. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uintmax_t)st.st_size <= max)
		buf_reserve(&text, (size_t)st.st_size + 2);
	do {
		/* The last read, which finds the end, needs no new room. */
		if (text.len + 1 >= text.cap)
			buf_reserve(&text, READ_SIZE);
		n = read(fd, text.data + text.len, text.cap - text.len - 1);
		if (n > 0)
			buf_set_len(&text, text.len + (size_t)n);
	} while ((n > 0 && text.len <= max) || (n < 0 && errno == EINTR));

	if (n < 0) {
		int saved = errno;

		shown = quote(view_of(path));
		errno = saved;
		return error_errno(err, "cannot read %s", shown);
	}
	if (text.len > max) {
		shown = quote(view_of(path));
		return error_set(err, ERROR_INVALID, "%s is larger than %zu bytes", shown, max);
	}
	buf_release(ret_text);
	*ret_text = text;
	text = BUF_INIT;
	return 0;
}

int file_read(const char *path, size_t max, struct buf *ret_text, struct error *err)
{
	CLEANUP(closep) int fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0) {
		int saved = errno;
		CLEANUP(freep) char *shown = quote(view_of(path));

		errno = saved;
		return error_errno(err, "cannot open %s", shown);
	}
	return file_read_fd(fd, path, max, ret_text, err);
}

int file_names(int dirfd, const char *path, struct string_array *ret_names)
{
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		closep(&fd);
		return -1;
	}
	while ((errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			string_array_add(ret_names, entry->d_name);
	if (errno)
		return -1;
	string_array_sort_once(ret_names);
	return 0;
}

struct dated_name {
	char *name;
	struct timespec changed;
};

static int compare_newest_first(const void *a, const void *b)
{
	const struct dated_name *x = a, *y = b;

	if (x->changed.tv_sec != y->changed.tv_sec)
		return x->changed.tv_sec < y->changed.tv_sec ? 1 : -1;
	if (x->changed.tv_nsec != y->changed.tv_nsec)
		return x->changed.tv_nsec < y->changed.tv_nsec ? 1 : -1;
	return strcmp(x->name, y->name);
}

int file_names_newest(int dirfd, const char *path, mode_t kind, struct string_array *ret_names)
{
	CLEANUP(closep)
	int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	CLEANUP(string_array_release) struct string_array names = {0};
	CLEANUP(freep) struct dated_name *list = NULL;
	size_t count = 0;
	struct stat st;

	if (fd < 0 || file_names(fd, ".", &names) < 0)
		return -1;
	list = xcalloc(names.count + 1, sizeof(*list));
	for (size_t i = 0; i < names.count; i++)
		if (fstatat(fd, names.list[i], &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			(st.st_mode & S_IFMT) == kind)
			list[count++] = (struct dated_name){names.list[i], st.st_mtim};
	if (count)
		qsort(list, count, sizeof(*list), compare_newest_first);
	for (size_t i = 0; i < count; i++)
		string_array_add(ret_names, list[i].name);
	return 0;
}

void closedirp(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}
