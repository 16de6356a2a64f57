#include "compose/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/string_array.h"
#include "fs/beneath.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"

#define MAX_KEPT 999
/* Leaves room for the suffix of the new name. */
#define MAX_KEPT_NAME 200
#define MAX_TARGET    4096
#define DOTS          2 /* . and .. */

#define QUICK (REPLACE_NO_FILE_SYNC | REPLACE_NO_DIR_SYNC)

void folder_release(struct folder *folder)
{
	closep(&folder->fd);
	free(folder->path);
	*folder = FOLDER_INIT;
}

enum there {
	THERE_NOTHING,
	THERE_LINK,
	THERE_FILE,
	THERE_FOLDER,
	THERE_OTHER,
};

static int entry_kind(
	const struct folder *folder, const char *name, enum there *ret_there, struct error *err)
{
	struct stat st;

	*ret_there = THERE_NOTHING;
	if (folder->fd < 0 || (folder->gone && !strcmp(folder->gone, name)))
		return 0;
	if (fstatat(folder->fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT
			       ? 0
			       : error_errno(err, "cannot access '%s/%s'", folder->path, name);
	*ret_there = S_ISLNK(st.st_mode)   ? THERE_LINK
		     : S_ISREG(st.st_mode) ? THERE_FILE
		     : S_ISDIR(st.st_mode) ? THERE_FOLDER
					   : THERE_OTHER;
	return 0;
}

static void change_report(
	struct folder *folder, enum change_kind kind, const char *name, const char *why)
{
	CLEANUP(freep) char *shown = quote(view_of(name));

	/* Without the quotes around it. */
	changes_add(folder->changes, kind, why, "%s/%.*s", folder->path, (int)strlen(shown) - 2,
		shown + 1);
}

/*
 * Before the first change: what a killed one has left here. Entries that cannot be removed
 * stay.
 */
static void clean_folder(struct folder *folder)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;

	if (!folder->cleaned && !folder->dry_run)
		replace_clean(folder->fd, &ignored);
	folder->cleaned = true;
}

/* --- aside ------------------------------------------------------------------- */

int folder_keep(struct folder *folder, const char *name, const char *why, struct error *err)
{
	CLEANUP(freep) char *to = NULL;
	CLEANUP(freep) char *reason = NULL;

	if (folder->dry_run) {
		change_report(folder, CHANGE_KEPT, name, why);
		return 0;
	}
	for (int i = 1; i <= MAX_KEPT; i++) {
		free(to);
		to = xasprintf("%.*s" FOLDER_KEPT "%d", MAX_KEPT_NAME, name, i);
		if (sys.rename(folder->fd, name, folder->aside, to, RENAME_NOREPLACE) == 0) {
			reason = xasprintf(
				"%s; it is in '%s/%s' now", why, folder->aside_path, to);
			change_report(folder, CHANGE_KEPT, name, reason);
			return 0;
		}
		if (errno == ENOENT)
			return 0;
		if (errno != EEXIST)
			return error_errno(
				err, "cannot move '%s/%s' aside", folder->path, name);
	}
	error_set(err, ERROR_FAILED, "cannot move '%s/%s' aside: too many old copies exist",
		folder->path, name);
	return error_hint(
		err, "delete old copies in '%s/*" FOLDER_KEPT "*'", folder->aside_path);
}

static int entry_unlink(struct folder *folder, const char *name, struct error *err)
{
	if (folder->dry_run || sys.unlink(folder->fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	return error_errno(err, "cannot remove '%s/%s'", folder->path, name);
}

/* --- folders ----------------------------------------------------------------- */

static const char *obstacle_text(enum there there)
{
	return there == THERE_LINK     ? "there is a symbolic link"
	       : there == THERE_FILE   ? "there is a file that is not the host's"
	       : there == THERE_FOLDER ? "there is a folder"
				       : "there is a pipe, a socket or a device";
}

static int make_folder(
	struct folder *parent, const char *name, enum there there, struct error *err)
{
	if (there == THERE_FILE && folder_keep(parent, name, obstacle_text(there), err) < 0)
		return -1;
	if ((there == THERE_LINK || there == THERE_OTHER) &&
		entry_unlink(parent, name, err) < 0)
		return -1;
	change_report(parent, there == THERE_NOTHING ? CHANGE_MADE : CHANGE_CHANGED, name,
		there == THERE_NOTHING ? "missing" : obstacle_text(there));
	if (parent->dry_run || sys.mkdir(parent->fd, name, 0700) == 0 || errno == EEXIST)
		return 0;
	return error_errno(err, "cannot make '%s/%s'", parent->path, name);
}

int folder_enter(
	struct folder *parent, const char *name, struct folder *ret_folder, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	enum there there;

	if (entry_kind(parent, name, &there, err) < 0)
		return -1;
	if (there != THERE_FOLDER && make_folder(parent, name, there, err) < 0)
		return -1;
	if ((there == THERE_FOLDER || !parent->dry_run) &&
		beneath_path_open_dir(parent->fd, name, &fd, err) < 0)
		return error_prefix(err, "'%s'", parent->path);
	*ret_folder = (struct folder){
		.fd = TAKE_FD(fd),
		.path = xasprintf("%s/%s", parent->path, name),
		.aside = parent->fd,
		.aside_path = parent->path,
		.dry_run = parent->dry_run,
		.changes = parent->changes,
	};
	return 0;
}

/* Looks at no more names than it needs to. */
static bool is_crowded(const struct folder *folder, size_t max)
{
	int fd = folder->fd < 0 ? -1
				: openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CLEANUP(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	size_t count = 0;

	while (dir && count <= max + DOTS && readdir(dir))
		count++;
	return count > max + DOTS;
}

int folder_enter_small(struct folder *parent, const char *name, size_t max,
	struct folder *ret_folder, struct error *err)
{
	if (folder_enter(parent, name, ret_folder, err) < 0)
		return -1;
	if (!is_crowded(ret_folder, max))
		return 0;
	if (folder_keep(parent, name, "there are too many files in it", err) < 0)
		return -1;
	if (parent->dry_run) {
		closep(&ret_folder->fd);
		ret_folder->fd = -1; /* as if it was gone */
		return 0;
	}
	folder_release(ret_folder);
	return folder_enter(parent, name, ret_folder, err);
}

/* --- links ------------------------------------------------------------------- */

int folder_link(struct folder *folder, const char *name, const char *target, struct error *err)
{
	char found[MAX_TARGET];
	ssize_t len = readlinkat(folder->fd, name, found, sizeof(found));
	enum there there;

	if (len >= 0 && view_equal((struct view){found, (size_t)len}, view_of(target)))
		return 0;
	if (entry_kind(folder, name, &there, err) < 0)
		return -1;
	clean_folder(folder);
	if ((there == THERE_FILE || there == THERE_FOLDER) &&
		folder_keep(folder, name, obstacle_text(there), err) < 0)
		return -1;
	change_report(folder, there == THERE_NOTHING ? CHANGE_MADE : CHANGE_CHANGED, name,
		there == THERE_NOTHING ? "missing"
		: there == THERE_LINK  ? "it leads elsewhere"
				       : obstacle_text(there));
	if (folder->dry_run)
		return 0;
	/* Where there is nothing, a link is made in one step by itself. */
	if (there == THERE_NOTHING && sys.symlink(target, folder->fd, name) == 0)
		return 0;
	if (there == THERE_NOTHING && errno != EEXIST)
		return error_errno(err, "cannot make '%s/%s'", folder->path, name);
	return replace_symlink(folder->fd, name, target, QUICK, err);
}

/* --- files ------------------------------------------------------------------- */

/* Into a buffer with a maximum: one that is larger is not ours. */
static int entry_read(struct folder *folder, const char *name, size_t max, struct buf *ret_text,
	bool *ret_read, struct error *err)
{
	CLEANUP(error_release) struct error wrong = ERROR_INIT;

	*ret_read = beneath_path_read(folder->fd, name, max, ret_text, &wrong) == 0;
	if (!*ret_read && wrong.kind == ERROR_FAILED && wrong.errnum != ENOENT)
		return error_set(err, ERROR_FAILED, "%s/%s", folder->path, wrong.message);
	return 0;
}

int folder_file(struct folder *folder, const char *name, struct view content,
	bool (*is_ours)(struct view text), struct error *err)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t max = is_ours ? (size_t)256 * 1024 : 0;
	enum there there;
	bool read = false;

	if (entry_kind(folder, name, &there, err) < 0)
		return -1;
	if (there == THERE_FILE &&
		entry_read(folder, name, content.len > max ? content.len : max, &text, &read,
			err) < 0)
		return -1;
	if (read && view_equal(view_of_buf(&text), content))
		return 0;
	clean_folder(folder);
	if (there == THERE_FOLDER && folder_keep(folder, name, obstacle_text(there), err) < 0)
		return -1;
	if (there == THERE_FILE && is_ours && !(read && is_ours(view_of_buf(&text))) &&
		folder_keep(folder, name, "somebody edited it", err) < 0)
		return -1;
	change_report(folder, there == THERE_NOTHING ? CHANGE_MADE : CHANGE_CHANGED, name,
		there == THERE_NOTHING ? "missing"
		: there == THERE_FILE  ? "its content differs"
				       : obstacle_text(there));
	if (folder->dry_run)
		return 0;
	return replace_file(folder->fd, name, content, 0600, NULL, QUICK, err);
}

/* --- removing ---------------------------------------------------------------- */

static int remove_there(struct folder *folder, const char *name, enum there there, bool ours,
	const char *why, struct error *err)
{
	if (there == THERE_FOLDER || (there == THERE_FILE && !ours))
		return folder_keep(folder, name, why, err);
	change_report(folder, CHANGE_REMOVED, name, why);
	return entry_unlink(folder, name, err);
}

int folder_remove(struct folder *folder, const char *name, const char *why, struct error *err)
{
	enum there there;

	if (entry_kind(folder, name, &there, err) < 0)
		return -1;
	return there == THERE_NOTHING ? 0 : remove_there(folder, name, there, true, why, err);
}

static int prune_one(struct folder *folder, const struct folder_pruning *pruning,
	const char *name, struct error *err)
{
	enum there there;

	if (!pruning->is_stale(folder->fd, name, pruning->data))
		return 0;
	if (entry_kind(folder, name, &there, err) < 0)
		return -1;
	if (there == THERE_NOTHING)
		return 0;
	return remove_there(folder, name, there,
		replace_is_temporary(name) || (pruning->is_ours && pruning->is_ours(name)),
		pruning->why, err);
}

/* Sorted, so that the reported changes do not depend on the file system. */
int folder_prune(struct folder *folder, const struct folder_pruning *pruning, struct error *err)
{
	CLEANUP(string_array_release) struct string_array names = {0};

	if (folder->fd < 0)
		return 0;
	if (file_names(folder->fd, ".", &names) < 0)
		return error_errno(err, "cannot list '%s'", folder->path);
	for (size_t i = 0; i < names.count; i++)
		if (prune_one(folder, pruning, names.list[i], err) < 0)
			return -1;
	return 0;
}
