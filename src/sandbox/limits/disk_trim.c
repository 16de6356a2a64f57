#include "sandbox/limits/disk_trim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/beneath.h"
#include "fs/private.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "fs/walk.h"

/*
 * Files of the group's folder that the host and the person rely on; kept unless they are the
 * excess.
 */
static const char *const kept[] = {"CLAUDE.local.md", "CLAUDE.md", "container.json"};
#define KEPT_MAX ((uint64_t)16 * 1024 * 1024)
/* One part in so many is left free: the next agent would exceed the limit with its first file. */
#define ROOM 8

struct candidate {
	int folder;
	char *path;
	uint64_t bytes;
};

struct trimming {
	int folder;
	time_t since;
	uint64_t total;
	struct candidate *list;
	size_t count, cap;
	struct candidate *folders; /* inner ones first */
	size_t folder_count, folder_cap;
	char *deep; /* a folder at the top with something too deep in it, or NULL */
};

static void trimming_release(struct trimming *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->list[i].path);
	for (size_t i = 0; i < t->folder_count; i++)
		free(t->folders[i].path);
	free(t->list);
	free(t->folders);
	free(t->deep);
}

static bool is_kept(const char *path, uint64_t bytes)
{
	if (bytes > KEPT_MAX)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (!strcmp(path, kept[i]))
			return true;
	return false;
}

static size_t depth_of(const char *path)
{
	size_t depth = 0;

	for (; *path; path++)
		depth += *path == '/';
	return depth;
}

static enum walk_result trim_look(const struct walk_entry *entry, void *data, struct error *err)
{
	struct trimming *t = data;
	uint64_t bytes = disk_use_of(&entry->stat);

	(void)err;
	if (entry->kind == WALK_DIR_END) {
		if (entry->stat.st_ctime < t->since)
			return WALK_GO_ON;
		GROW(t->folders, t->folder_count, t->folder_cap);
		t->folders[t->folder_count++] =
			(struct candidate){t->folder, xstrdup(entry->path), bytes};
		return WALK_GO_ON;
	}
	t->total += bytes;
	if (entry->kind == WALK_DIR) {
		if (private_is_locked(&entry->stat))
			private_entry(entry->dirfd, entry->name);
		if (depth_of(entry->path) + 1 < DISK_USE_MAX_DEPTH)
			return WALK_GO_ON;
		if (!t->deep)
			t->deep = xmemdupz(entry->path, strcspn(entry->path, "/"));
		return WALK_SKIP;
	}
	if (entry->stat.st_ctime < t->since || is_kept(entry->path, bytes))
		return WALK_GO_ON;
	GROW(t->list, t->count, t->cap);
	t->list[t->count++] = (struct candidate){t->folder, xstrdup(entry->path), bytes};
	return WALK_GO_ON;
}

static int by_size(const void *a, const void *b)
{
	const struct candidate *x = a;
	const struct candidate *y = b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return strcmp(x->path, y->path);
}

static bool trim_one(const struct candidate *candidate, int flags)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int dir = -1;

	return relpath_parse(view_of(candidate->path), &path, &ignored) == 0 &&
	       beneath_open_parent(candidate->folder, &path, 0, &dir, &ignored) == 0 &&
	       sys.unlink(dir, relpath_base(&path), flags) == 0;
}

static void trim_all(struct trimming *t, const struct candidate *list, size_t count, int flags,
	uint64_t limit, struct disk_trimmed *trimmed)
{
	for (size_t i = 0; i < count && t->total > limit; i++) {
		if (!trim_one(&list[i], flags))
			continue;
		t->total -= list[i].bytes;
		trimmed->files += !flags;
		trimmed->bytes += list[i].bytes;
	}
}

int disk_trim(const struct disk_use *disk, uint64_t limit, time_t since,
	struct disk_trimmed *ret_trimmed, struct error *err)
{
	CLEANUP(trimming_release) struct trimming t = {.since = since};

	*ret_trimmed = (struct disk_trimmed){0};
	for (size_t i = 0; i < disk->count; i++) {
		t.folder = disk->folders[i];
		private_fd(t.folder);
		if (walk(t.folder, trim_look, &t, err) < 0)
			return -1;
		if (t.deep && tree_remove(t.folder, t.deep, err) < 0)
			return -1;
		ret_trimmed->files += t.deep != NULL;
		free(t.deep);
		t.deep = NULL;
	}
	if (t.total <= limit)
		return 0;
	limit -= limit / ROOM;
	if (t.count)
		qsort(t.list, t.count, sizeof(*t.list), by_size);
	trim_all(&t, t.list, t.count, 0, limit, ret_trimmed);
	/* Where these alone are too much, the empty ones go. */
	trim_all(&t, t.folders, t.folder_count, AT_REMOVEDIR, limit, ret_trimmed);
	return 0;
}
