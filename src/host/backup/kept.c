#include "host/backup/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quote.h"
#include "base/view.h"
#include "fs/file.h"
#include "fs/replace.h"
#include "fs/sys.h"

#define ENDING ".tar.gz"
#define LAST   BACKUPS_FOLDER "/last" /* a link to the last one that a person made */

static int kept_make_folder(int root, struct error *err)
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
	/* Without a store there is nothing to back up, which is said elsewhere. */
	if (faccessat(root, "store", F_OK, 0) < 0 || !folder || !len ||
		strncmp(folder, project, len) != 0 || (folder[len] && folder[len] != '/') ||
		!strcmp(folder, kept))
		return 0;
	error_set(err, ERROR_INVALID, "%s is in the project, which agents and git may read",
		shown);
	return error_hint(err, "choose a place outside, or '" BACKUPS_FOLDER "/%s'",
		slash ? slash + 1 : file);
}

int kept_note(int root, const char *file, struct error *err)
{
	CLEANUP(freep) char *path = realpath(file, NULL);

	if (!path)
		return quote_errno(err, "find", file);
	if (replace_is_temporary(strrchr(path, '/') + 1))
		return 0; /* of a backup that is still to be proved */
	if (kept_make_folder(root, err) < 0)
		return -1;
	sys.unlink(root, LAST ".new", 0);
	if (sys.symlink(path, root, LAST ".new") < 0 ||
		sys.rename(root, LAST ".new", root, LAST, 0) < 0)
		return error_errno(err, "cannot write '%s'", LAST);
	return 0;
}

static int64_t time_of(int dir, const char *name)
{
	struct stat st;

	if (fstatat(dir, name, &st, 0) < 0 || !S_ISREG(st.st_mode))
		return 0;
	return (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
}

char *kept_newest(int root, const char *root_path, int64_t *ret_time)
{
	CLEANUP(closedirp) DIR *folder = NULL;
	struct dirent *entry;
	char *newest = NULL;
	int fd = openat(root, BACKUPS_FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	*ret_time = 0;
	folder = fd < 0 ? NULL : fdopendir(fd);
	while (folder && (entry = readdir(folder))) {
		CLEANUP(freep)
		char *path = xasprintf("%s/" BACKUPS_FOLDER "/%s", root_path, entry->d_name);
		bool last = !strcmp(entry->d_name, "last");
		int64_t time = time_of(fd, entry->d_name);

		if (time <= *ret_time ||
			(!last && !view_ends_with(view_of(entry->d_name), ENDING)))
			continue;
		free(newest);
		newest = last ? realpath(path, NULL) : TAKE(path);
		*ret_time = newest ? time : 0;
	}
	return newest;
}
