#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "fs/beneath.h"
#include "fs/sys.h"
#include "fs/tree.h"
#include "host/backup/import.h"

#define TRIES 3

static const char *const names[] = {"messages.db", "messages.db-wal"};

/* Size and time of a file; zeros where there is none. */
static void look(int dir, const char *name, struct stat *ret_stat)
{
	if (fstatat(dir, name, ret_stat, AT_SYMLINK_NOFOLLOW) < 0)
		*ret_stat = (struct stat){0};
}

static bool same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static int copy_once(int store, int to, bool *ret_whole, struct error *err)
{
	struct stat before[ARRAY_SIZE(names)];

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		look(store, names[i], &before[i]);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (sys.unlink(to, names[i], 0) < 0 && errno != ENOENT)
			return error_errno(err, "cannot remove '%s'", names[i]);
		if (before[i].st_ino && tree_copy_file(store, names[i], to, names[i], err) < 0)
			return -1;
	}
	*ret_whole = true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct stat after;

		look(store, names[i], &after);
		*ret_whole = *ret_whole && same(&before[i], &after);
	}
	return 0;
}

int import_check_source(const char *from, struct error *err)
{
	CLEANUP(freep) char *database = xasprintf("%s/store/%s", from, names[0]);
	CLEANUP(freep) char *shown = quote(view_of(from));

	if (access(database, F_OK) == 0)
		return 0;
	error_set(err, ERROR_INVALID, "%s is not a NanoClaw v1: it has no 'store/%s'", shown,
		names[0]);
	return error_hint(err, "name the folder that holds 'store' and 'groups'");
}

int import_copy_database(int from, int to, struct error *err)
{
	CLEANUP(relpath_release) struct relpath path = RELPATH_INIT;
	CLEANUP(closep) int store = -1;
	bool whole = false;

	if (relpath_parse(view_of("store"), &path, err) < 0)
		return -1;
	if (beneath_open_dir(from, &path, &store, err) < 0)
		return -1;
	for (int i = 0; i < TRIES && !whole; i++)
		if (copy_once(store, to, &whole, err) < 0)
			return -1;
	if (whole)
		return 0;
	error_set(err, ERROR_BUSY, "its database is being changed all the time");
	return error_hint(err, "stop the old NanoClaw first");
}
