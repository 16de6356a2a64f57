#include "fs/stamp.h"

#include "fs/beneath.h"

static int64_t nanoseconds(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

struct stamp stamp_of(const struct stat *st)
{
	return (struct stamp){
		.device = st->st_dev,
		.inode = st->st_ino,
		.size = st->st_size,
		.modified = nanoseconds(&st->st_mtim),
		.changed = nanoseconds(&st->st_ctim),
	};
}

struct stamp stamp_beneath(int root, const char *path)
{
	CLEANUP(relpath_release) struct relpath parsed = RELPATH_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct stat st;

	if (relpath_parse(view_of(path), &parsed, &ignored) < 0 ||
		beneath_stat(root, &parsed, &st, &ignored) < 0)
		return (struct stamp){0};
	return stamp_of(&st);
}

bool stamp_equal(const struct stamp *a, const struct stamp *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->modified == b->modified && a->changed == b->changed;
}
