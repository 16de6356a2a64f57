#include "host/backup/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/view.h"
#include "format/json.h"
#include "fs/sys.h"
#include "host/backup/backups.h"

#define LAST BACKUPS_FOLDER "/last" /* a link to the last one */

int kept_make_folder(int root, struct error *err)
{
	if (sys.mkdir(root, BACKUPS_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", BACKUPS_FOLDER);
	return 0;
}

int kept_check_place(int root, const char *root_path, const char *file, struct error *err)
{
	const char *slash = strrchr(file, '/');
	CLEANUP(freep)
	char *name = slash ? xmemdupz(file, (size_t)(slash - file) + 1) : xstrdup(".");
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *folder = NULL;
	CLEANUP(freep) char *project = realpath(root_path, NULL);
	CLEANUP(freep) char *kept = xasprintf("%s/" BACKUPS_FOLDER, project ? project : "");
	CLEANUP(freep) char *shown = quote(view_of(file));
	size_t len = project ? strlen(project) : 0;

	if (view_ends_with(view_of(name), BACKUPS_FOLDER "/"))
		kept_make_folder(root, &ignored);
	folder = realpath(name, NULL);
	if (!folder || !len || strncmp(folder, project, len) != 0 ||
		(folder[len] && folder[len] != '/') || !strcmp(folder, kept))
		return 0;
	error_set(err, ERROR_INVALID, "%s is in the project, which agents and git may read",
		shown);
	return error_hint(err, "choose a place outside, or '" BACKUPS_FOLDER "/%s'",
		slash ? slash + 1 : file);
}

/* What the link says, to be freed; or NULL. */
static char *kept_last(int root)
{
	char path[PATH_MAX];
	ssize_t len = readlinkat(root, LAST, path, sizeof(path));

	return len < 0 || len == sizeof(path) ? NULL : xmemdupz(path, (size_t)len);
}

int kept_note(int root, const char *file, bool faulty, struct error *err)
{
	CLEANUP(freep) char *path = realpath(file, NULL);
	CLEANUP(freep) char *last = kept_last(root);

	if (!path)
		return quote_errno(err, "find", file);
	if (faulty && (!last || strcmp(last, path) != 0))
		return 0;
	if (kept_make_folder(root, err) < 0)
		return -1;
	sys.unlink(root, LAST ".new", 0);
	if (faulty ? sys.unlink(root, LAST, 0) < 0
		   : sys.symlink(path, root, LAST ".new") < 0 ||
				sys.rename(root, LAST ".new", root, LAST, 0) < 0)
		return error_errno(err, "cannot write '%s'", LAST);
	return 0;
}

static bool kept_is_there(int root, const char *path, struct stat *st)
{
	return path && fstatat(root, path, st, 0) == 0 && S_ISREG(st->st_mode);
}

char *kept_newest(int root, const char *root_path, int64_t *ret_time)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *plan = NULL;
	CLEANUP(freep) char *last = kept_last(root);
	CLEANUP(freep) char *planned = NULL;
	const char *newest = last;
	struct stat st;

	backups_read(root, &plan, &ignored);
	planned = backups_newest(plan);
	if (!kept_is_there(root, last, &st))
		newest = kept_is_there(root, planned, &st) ? planned : NULL;
	if (!newest)
		return NULL;
	*ret_time = (int64_t)st.st_mtim.tv_sec * 1000;
	return *newest == '/' ? xstrdup(newest) : xasprintf("%s/%s", root_path, newest);
}
