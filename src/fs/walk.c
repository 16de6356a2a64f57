#include "fs/walk.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"

/*
 * At most this many of the deepest directories are held open, and the first.
 * The way back up to one that was closed is `..`, checked by device and inode.
 */
#define OPEN_MAX_DIRS 32

#define OPEN_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

struct level {
	int fd;           /* -1: closed to save descriptors */
	struct stat stat; /* of the open directory: who it is */
	struct stat seen; /* as reported for it */
	char **names;     /* sorted */
	size_t count;
	size_t next;     /* the first name that was not visited */
	size_t path_len; /* of the path to this directory */
};

struct walker {
	struct level *levels;
	size_t depth; /* how many levels are in use */
	size_t cap;
	struct buf path;
	walk_function function;
	void *data;
};

/* --- levels ------------------------------------------------------------------ */

static void level_release(struct level *level)
{
	closep(&level->fd);
	for (size_t i = 0; i < level->count; i++)
		free(level->names[i]);
	free(level->names);
}

static void walker_release(struct walker *w)
{
	while (w->depth)
		level_release(&w->levels[--w->depth]);
	free(w->levels);
	buf_release(&w->path);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in level->fd, sorted. Returns -1 with errno. */
static int level_read_names(struct level *level)
{
	int fd = openat(level->fd, ".", OPEN_FLAGS);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	size_t cap = 0;
	int errnum;

	if (!dir) {
		closep(&fd);
		return -1;
	}
	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		GROW(level->names, level->count, cap);
		level->names[level->count++] = xstrdup(entry->d_name);
	}
	errnum = errno;
	closedir(dir);
	/* A directory that was removed while it was read has no more names. */
	if (errnum && errnum != ENOENT) {
		errno = errnum;
		return -1;
	}
	if (level->count)
		qsort(level->names, level->count, sizeof(*level->names), compare_names);
	return 0;
}

static int walker_errno(struct walker *w, const char *what, struct error *err)
{
	return quote_errno(err, what, w->path.len ? w->path.data : ".");
}

/* Enter the directory open in `fd`, which is taken over. */
static int level_push(struct walker *w, int fd, const struct stat *seen, struct error *err)
{
	struct level level = {.fd = fd, .path_len = w->path.len};

	if (seen)
		level.seen = *seen;
	if (fstat(fd, &level.stat) < 0 || level_read_names(&level) < 0) {
		walker_errno(w, "read folder", err);
		level_release(&level);
		return -1;
	}
	GROW(w->levels, w->depth, w->cap);
	w->levels[w->depth++] = level;
	if (w->depth > OPEN_MAX_DIRS + 1) {
		struct level *shallow = &w->levels[w->depth - 1 - OPEN_MAX_DIRS];

		closep(&shallow->fd);
		shallow->fd = -1;
	}
	return 0;
}

/* --- the way back ------------------------------------------------------------ */

/* Open `name` in `dirfd` if it is still the directory of this level, else -1. */
static int open_same(int dirfd, const char *name, const struct level *level)
{
	CLEANUP(closep) int fd = openat(dirfd, name, OPEN_FLAGS);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -1;
	if (st.st_dev != level->stat.st_dev || st.st_ino != level->stat.st_ino)
		return -1;
	return TAKE_FD(fd);
}

/* From the first level, which is always open, down again. -1: the way is gone. */
static int open_from_start(struct walker *w, size_t index)
{
	CLEANUP(closep) int fd = -1;

	for (size_t i = 1; i <= index; i++) {
		struct level *above = &w->levels[i - 1];
		int from = i == 1 ? above->fd : fd;
		int next = open_same(from, above->names[above->next - 1], &w->levels[i]);

		closep(&fd);
		fd = next;
		if (fd < 0)
			return -1;
	}
	return TAKE_FD(fd);
}

/*
 * Leave the deepest level; the one above is open afterwards. Returns false if
 * that one cannot be found again: then it counts as visited.
 */
static bool level_pop(struct walker *w)
{
	struct level *below = &w->levels[w->depth - 1];
	struct level *above = &w->levels[w->depth - 2];

	if (above->fd < 0 && below->fd >= 0)
		above->fd = open_same(below->fd, "..", above);
	if (above->fd < 0)
		above->fd = open_from_start(w, w->depth - 2);
	level_release(below);
	w->depth--;
	if (above->fd < 0)
		above->next = above->count;
	return above->fd >= 0;
}

/* --- visiting ---------------------------------------------------------------- */

static enum walk_kind walk_kind_of(mode_t mode)
{
	if (S_ISREG(mode))
		return WALK_FILE;
	if (S_ISDIR(mode))
		return WALK_DIR;
	return S_ISLNK(mode) ? WALK_SYMLINK : WALK_OTHER;
}

static enum walk_result walker_report(struct walker *w, int dirfd, const char *name,
	enum walk_kind kind, const struct stat *st, struct error *err)
{
	struct walk_entry entry = {
		.path = w->path.data,
		.path_len = w->path.len,
		.dirfd = dirfd,
		.name = name,
		.kind = kind,
		.stat = *st,
	};

	return w->function(&entry, w->data, err);
}

static void walker_set_path(struct walker *w, const struct level *level, const char *name)
{
	buf_set_len(&w->path, level->path_len);
	if (level->path_len)
		buf_append_char(&w->path, '/');
	buf_append_str(&w->path, name);
}

/* The next name of the deepest level: report it and, if a directory, enter it. */
static enum walk_result walker_visit_next(struct walker *w, struct error *err)
{
	struct level *level = &w->levels[w->depth - 1];
	const char *name = level->names[level->next++];
	enum walk_result result;
	struct stat st;
	int fd;

	walker_set_path(w, level, name);
	if (fstatat(level->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return WALK_GO_ON;
		walker_errno(w, "access", err);
		return WALK_FAIL;
	}
	result = walker_report(w, level->fd, name, walk_kind_of(st.st_mode), &st, err);
	if (result != WALK_GO_ON || !S_ISDIR(st.st_mode))
		return result == WALK_SKIP ? WALK_GO_ON : result;
	fd = openat(level->fd, name, OPEN_FLAGS);
	if (fd < 0) {
		/* The reported entry has vanished or been replaced. */
		if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
			return WALK_GO_ON;
		walker_errno(w, "open folder", err);
		return WALK_FAIL;
	}
	return level_push(w, fd, &st, err) < 0 ? WALK_FAIL : WALK_GO_ON;
}

/* The deepest level is done: go up and report its end. */
static enum walk_result walker_leave(struct walker *w, struct error *err)
{
	struct stat seen = w->levels[w->depth - 1].seen;
	struct level *above;
	const char *name;

	if (!level_pop(w))
		return WALK_GO_ON;
	above = &w->levels[w->depth - 1];
	name = above->names[above->next - 1];
	walker_set_path(w, above, name);
	return walker_report(w, above->fd, name, WALK_DIR_END, &seen, err);
}

int walk(int dirfd, walk_function function, void *data, struct error *err)
{
	CLEANUP(walker_release)
	struct walker w = {.path = BUF_INIT, .function = function, .data = data};
	enum walk_result result = WALK_GO_ON;
	int fd = openat(dirfd, ".", OPEN_FLAGS);

	if (fd < 0)
		return walker_errno(&w, "open folder", err);
	if (level_push(&w, fd, NULL, err) < 0)
		return -1;
	while (result == WALK_GO_ON || result == WALK_SKIP) {
		struct level *level = &w.levels[w.depth - 1];

		if (level->next < level->count)
			result = walker_visit_next(&w, err);
		else if (w.depth > 1)
			result = walker_leave(&w, err);
		else
			break;
	}
	assert(result != WALK_FAIL || err->kind != ERROR_NONE);
	return result == WALK_FAIL ? -1 : 0;
}
