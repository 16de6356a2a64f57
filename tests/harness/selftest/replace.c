/*
 * A program for the crash test to find out about: it puts the text "new" into
 * a file in several ways, of which only one is right.
 *
 *	replace WAY FILE
 *
 *	safely		a temporary file, synced and renamed
 *	durably		the same, and the folder is synced: only this outlives a power cut
 *	unsynced	as durably, but the temporary file is not synced
 *	in-place	the file is truncated and written: a crash loses it
 *	silently	as safely, but errors do not show in the exit code
 *	ignoring	as safely, then the folder is synced, and an error there ignored
 *	littering	as safely, but an error leaves the temporary file behind
 *	by-steps	the file and FILE.2, each safely: half of it can happen
 *	aborting	as safely, but an error ends it with a signal
 *	nothing		no change at all
 *	status		remove a temporary file that a crash left: the recovery
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/sys.h"

static int write_new(int fd)
{
	return sys_write_all(fd, "new\n", 4);
}

static int write_temporary(const char *temporary, bool synced)
{
	CLEANUP(closep)
	int fd = sys.create(AT_FDCWD, temporary, O_WRONLY | O_CREAT | O_EXCL, 0644);

	return fd < 0 || write_new(fd) < 0 || (synced && sys.sync(fd) < 0) ? -1 : 0;
}

static int safely(const char *path, bool littering)
{
	CLEANUP(freep) char *temporary = xasprintf("%s.tmp", path);

	if (!write_temporary(temporary, true) &&
		!sys.rename(AT_FDCWD, temporary, AT_FDCWD, path, 0))
		return 0;
	if (!littering)
		sys.unlink(AT_FDCWD, temporary, 0);
	return -1;
}

static int durably(const char *path, bool synced)
{
	CLEANUP(freep) char *temporary = xasprintf("%s.tmp", path);
	CLEANUP(closep) int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (folder < 0 || write_temporary(temporary, synced) < 0 ||
		sys.rename(AT_FDCWD, temporary, AT_FDCWD, path, 0) < 0)
		return -1;
	return sys.sync(folder);
}

static int ignoring(const char *path)
{
	CLEANUP(closep) int folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (safely(path, false) < 0)
		return -1;
	if (sys.sync(folder) < 0)
		fputs("warning: an error was ignored: cannot sync\n", stderr);
	return 0;
}

static int in_place(const char *path)
{
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd < 0 || sys.truncate(fd, 0) < 0 || write_new(fd) < 0 ? -1 : 0;
}

static int by_steps(const char *path)
{
	CLEANUP(freep) char *second = xasprintf("%s.2", path);

	return safely(path, false) < 0 || safely(second, false) < 0 ? -1 : 0;
}

static int status(const char *path)
{
	CLEANUP(freep) char *temporary = xasprintf("%s.tmp", path);

	return sys.unlink(AT_FDCWD, temporary, 0) < 0 && errno != ENOENT ? -1 : 0;
}

int main(int argc, char **argv)
{
	const char *way = argc == 3 ? argv[1] : "";
	int result;

	if (!strcmp(way, "safely"))
		result = safely(argv[2], false);
	else if (!strcmp(way, "durably"))
		result = durably(argv[2], true);
	else if (!strcmp(way, "unsynced"))
		result = durably(argv[2], false);
	else if (!strcmp(way, "in-place"))
		result = in_place(argv[2]);
	else if (!strcmp(way, "silently"))
		result = safely(argv[2], false) & 0;
	else if (!strcmp(way, "ignoring"))
		result = ignoring(argv[2]);
	else if (!strcmp(way, "littering"))
		result = safely(argv[2], true);
	else if (!strcmp(way, "aborting"))
		result = safely(argv[2], false) < 0 ? raise(SIGABRT) : 0;
	else if (!strcmp(way, "by-steps"))
		result = by_steps(argv[2]);
	else if (!strcmp(way, "nothing"))
		result = 0;
	else if (!strcmp(way, "status"))
		result = status(argv[2]);
	else
		result = -1;
	return result < 0 ? 255 : 0;
}
