#include "tempdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "fs/tree.h"

static void require(bool holds, const char *what, const char *name)
{
	if (holds)
		return;
	fprintf(stderr, "tempdir: %s '%s': %s\n", what, name, strerror(errno));
	abort();
}

int tempdir_setup(void **state)
{
	const char *where = getenv("TMPDIR");
	struct tempdir *temp = xcalloc(1, sizeof(*temp));

	temp->path = xasprintf("%s/nanoclaw-test-XXXXXX", where && *where ? where : "/tmp");
	require(mkdtemp(temp->path) != NULL, "mkdtemp", temp->path);
	temp->fd = open(temp->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	require(temp->fd >= 0, "open", temp->path);
	*state = temp;
	return 0;
}

int tempdir_teardown(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (tree_remove(AT_FDCWD, temp->path, &err) < 0)
		fprintf(stderr, "tempdir: %s\n", err.message);
	close(temp->fd);
	free(temp->path);
	free(temp);
	return 0;
}

void tempdir_put_bytes(int dirfd, const char *name, const void *content, size_t len)
{
	CLEANUP(closep)
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	require(fd >= 0 && write(fd, content, len) == (ssize_t)len, "write", name);
}

void tempdir_put(int dirfd, const char *name, const char *content)
{
	tempdir_put_bytes(dirfd, name, content, strlen(content));
}

void tempdir_mkdir(int dirfd, const char *name)
{
	require(!mkdirat(dirfd, name, 0755), "mkdir", name);
}

void tempdir_symlink(const char *target, int dirfd, const char *name)
{
	require(!symlinkat(target, dirfd, name), "symlink", name);
}

void tempdir_fifo(int dirfd, const char *name)
{
	require(!mkfifoat(dirfd, name, 0644), "mkfifo", name);
}

void tempdir_make_deep(int dirfd)
{
	CLEANUP(closep) int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (int i = 0; i < TEMPDIR_DEEP; i++) {
		int below;

		tempdir_mkdir(fd, "directory");
		tempdir_put(fd, "zfile", "");
		below = openat(fd, "directory", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		closep(&fd);
		fd = below;
	}
}

char *tempdir_get(int dirfd, const char *name)
{
	CLEANUP(closep)
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	ssize_t n;

	if (fd < 0)
		return NULL;
	do {
		buf_reserve(&text, 4096);
		n = read(fd, text.data + text.len, 4096);
		require(n >= 0, "read", name);
		buf_set_len(&text, text.len + (size_t)n);
	} while (n > 0);
	return buf_take(&text);
}

char *tempdir_get_link(int dirfd, const char *name)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(dirfd, name, target, sizeof(target));

	return len < 0 ? NULL : xmemdupz(target, (size_t)len);
}

bool tempdir_exists(int dirfd, const char *name)
{
	struct stat st;

	return !fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *tempdir_list(int dirfd)
{
	CLEANUP(buf_release) struct buf list = BUF_INIT;
	DIR *dir = fdopendir(openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	struct dirent *entry;
	char **names = NULL;
	size_t count = 0;
	size_t cap = 0;

	require(dir != NULL, "opendir", ".");
	while ((entry = readdir(dir)) != NULL) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		GROW(names, count, cap);
		names[count++] = xstrdup(entry->d_name);
	}
	closedir(dir);
	if (count)
		qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++) {
		buf_appendf(&list, "%s\n", names[i]);
		free(names[i]);
	}
	free(names);
	return buf_take(&list);
}

#define NOBODY 65534

void tempdir_be_nobody(void)
{
	require(getuid() != 0 || seteuid(NOBODY) == 0, "seteuid", "nobody");
}

void tempdir_be_root(void)
{
	require(getuid() != 0 || seteuid(0) == 0, "seteuid", "root");
}
