#include "agent/native/tools/change_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/quote.h"
#include "fs/replace.h"
#include "fs/sys.h"

/* Everything before the last name. */
static int change_make_folders(char *path, struct error *err)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		bool failed;

		*slash = '\0';
		failed = sys.mkdir(AT_FDCWD, path, 0777) < 0 && errno != EEXIST;
		if (failed)
			quote_errno(err, "make the folder", path);
		*slash = '/';
		if (failed)
			return -1;
	}
	return 0;
}

static mode_t change_new_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

int change_file(const char *path, struct view content, bool *ret_new, struct error *err)
{
	CLEANUP(freep) char *real = NULL;
	CLEANUP(freep) char *shown = quote(view_of(path));
	CLEANUP(closep) int dirfd = -1;
	struct stat st;
	bool new = lstat(path, &st) < 0;
	char *name;

	if (!new &&S_ISLNK(st.st_mode) && stat(path, &st) < 0)
		return error_set(err, ERROR_INVALID, "%s is a link that leads nowhere", shown);
	if (!new && !S_ISREG(st.st_mode))
		return error_set(err, ERROR_INVALID, "%s is not a file", shown);
	real = new ? xstrdup(path) : realpath(path, NULL);
	if (!real)
		return quote_errno(err, "write", path);
	if (new &&change_make_folders(real, err) < 0)
		return -1;
	name = strrchr(real, '/');
	*name++ = '\0';
	if (!*name)
		return error_set(err, ERROR_INVALID, "%s ends in '/': that is a folder", shown);
	dirfd = open(*real ? real : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0 ||
		replace_file(dirfd, name, content, new ? change_new_mode() : st.st_mode & 07777,
			NULL, 0, err) < 0)
		return err->message ? -1 : quote_errno(err, "write", path);
	*ret_new = new;
	return 0;
}
