#include "agent/native/tools/regular_file.h"

#include <errno.h>
#include <fcntl.h>

#include "base/quote.h"

static int regular_file_check(
	const char *path, bool folders, const struct stat *st, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	if (S_ISREG(st->st_mode) || (folders && S_ISDIR(st->st_mode)))
		return 0;
	shown = quote(view_of(path));
	error_set(err, ERROR_INVALID, "%s is %s, not a file", shown,
		S_ISDIR(st->st_mode)    ? "a folder"
		: S_ISFIFO(st->st_mode) ? "a pipe"
		: S_ISSOCK(st->st_mode) ? "a socket"
					: "a device");
	if (S_ISDIR(st->st_mode))
		err->errnum = EISDIR;
	return -1;
}

int regular_file_open(
	const char *path, bool folders, int *ret_fd, struct stat *ret_stat, struct error *err)
{
	CLEANUP(closep) int fd = -1;
	struct stat st;

	if (stat(path, &st) < 0)
		return quote_errno(err, "open", path);
	if (regular_file_check(path, folders, &st, err) < 0)
		return -1;
	/* The file may have been replaced since. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return quote_errno(err, "open", path);
	if (regular_file_check(path, folders, &st, err) < 0)
		return -1;
	*ret_fd = TAKE_FD(fd);
	*ret_stat = st;
	return 0;
}
