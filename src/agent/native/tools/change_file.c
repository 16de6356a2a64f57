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

int change_file(const char *path, struct view content, bool *ret_created, struct error *err)
{
	CLEANUP(freep) char *real = NULL;
	CLEANUP(freep) char *shown = quote(view_of(path));
	CLEANUP(closep) int dirfd = -1;
	const char *last = strrchr(path, '/');
	struct stat st;
	bool exists = lstat(path, &st) == 0;
	char *name;

	if (!last || !last[1] || !strcmp(last, "/.") || !strcmp(last, "/.."))
		return error_set(err, ERROR_INVALID, "%s is the name of a folder", shown);
	if (exists && S_ISLNK(st.st_mode) && stat(path, &st) < 0)
		return error_set(err, ERROR_INVALID, "%s is a link that leads nowhere", shown);
	if (exists && !S_ISREG(st.st_mode))
		return error_set(err, ERROR_INVALID, "%s is not a file", shown);
	real = exists ? realpath(path, NULL) : xstrdup(path);
	if (!real)
		return quote_errno(err, "write", path);
	if (!exists && change_make_folders(real, err) < 0)
		return -1;
	name = strrchr(real, '/');
	*name++ = '\0';
	dirfd = open(*real ? real : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dirfd < 0)
		return quote_errno(err, "write", path);
	if (replace_file(dirfd, name, content, exists ? st.st_mode & 07777 : change_new_mode(),
		    NULL, 0, err) < 0)
		return -1;
	*ret_created = !exists;
	return 0;
}
