#include "host/backup/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "base/view.h"
#include "fs/file.h"
#include "fs/sys.h"

#define ENDING ".tar.gz"
#define LAST   BACKUPS_FOLDER "/last" /* a link to the last one that a person made */

static int kept_make_folder(int root, struct error *err)
{
	if (sys.mkdir(root, BACKUPS_FOLDER, 0700) < 0 && errno != EEXIST)
		return error_errno(err, "cannot make '%s'", BACKUPS_FOLDER);
	return 0;
}

int kept_note(int root, const char *file, struct error *err)
{
	CLEANUP(freep) char *path = realpath(file, NULL);

	if (!path)
		return quote_errno(err, "find", file);
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
