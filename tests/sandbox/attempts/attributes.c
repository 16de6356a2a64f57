/* What is known about files beside their content: rights, owners, times, flags, changes. */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../attempt.h"

#define SYSTEM_FILE "/usr/bin/env"

/* With the rights that it has. */
static enum outcome changes_mode(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? REFUSED : got(chmod(path, st.st_mode & 0777));
}

ATTEMPT(chmod_host, "change the rights of a file of the host")
{
	return changes_mode(place("HOST", "secret"));
}

ATTEMPT(chmod_system, "change the rights of a file of the system")
{
	return changes_mode(SYSTEM_FILE);
}

ATTEMPT(chmod_open_file, "change the rights of a file that is open for reading")
{
	int fd = open(place("APP", "CLAUDE.md"), O_RDONLY | O_CLOEXEC);

	return fd < 0 ? CANNOT_TRY : got(fchmod(fd, 0666));
}

ATTEMPT(chmod_foreign_in_own, "change the rights of container.json")
{
	return got(chmod(place("AGENT", "container.json"), 0666));
}

ATTEMPT(chown_host, "take a file of the host")
{
	return got(chown(place("HOST", "secret"), getuid(), getgid()));
}

ATTEMPT(chown_shared, "take the shared CLAUDE.md")
{
	return got(lchown(place("APP", "CLAUDE.md"), getuid(), getgid()));
}

ATTEMPT(chown_system, "take a file of the system")
{
	return got(chown(SYSTEM_FILE, 0, 0));
}

ATTEMPT(times_of_host, "change the times of a file of the host")
{
	return got(utimensat(AT_FDCWD, place("HOST", "secret"), NULL, 0));
}

ATTEMPT(times_of_shared, "change the times of the shared CLAUDE.md")
{
	int fd = open(place("APP", "CLAUDE.md"), O_RDONLY | O_CLOEXEC);

	return fd < 0 ? CANNOT_TRY : got(futimens(fd, NULL));
}

static enum outcome sets_attribute(const char *path)
{
	int result = setxattr(path, "user.nanoclaw", "x", 1, 0);

	return result < 0 && errno == EOPNOTSUPP ? CANNOT_TRY : got(result);
}

ATTEMPT(attribute_of_host, "set an attribute of a file of the host")
{
	return sets_attribute(place("HOST", "secret"));
}

ATTEMPT(attribute_of_shared, "set an attribute of the shared CLAUDE.md")
{
	return sets_attribute(place("APP", "CLAUDE.md"));
}

ATTEMPT(remove_attribute, "remove an attribute of the shared CLAUDE.md")
{
	if (sets_attribute(place("APP", "CLAUDE.md")) == CANNOT_TRY)
		return CANNOT_TRY;
	return got(removexattr(place("APP", "CLAUDE.md"), "user.nanoclaw"));
}

ATTEMPT(flags_of_shared, "set the flags of the shared CLAUDE.md")
{
	int fd = open(place("APP", "CLAUDE.md"), O_RDONLY | O_CLOEXEC);
	int flags;

	if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		return CANNOT_TRY;
	return got(ioctl(fd, FS_IOC_SETFLAGS, &flags));
}

ATTEMPT(truncate_shared, "empty the shared CLAUDE.md")
{
	return got(truncate(place("APP", "CLAUDE.md"), 0));
}

ATTEMPT(truncate_host, "empty a file of the host")
{
	return got(truncate(place("HOST", "secret"), 0));
}

ATTEMPT(truncate_by_reading, "empty the shared CLAUDE.md by opening it for reading")
{
	return opens(place("APP", "CLAUDE.md"), O_RDONLY | O_TRUNC);
}

/* 3 is neither for reading nor for writing, but for ioctl(). */
ATTEMPT(open_for_requests, "open a file of the host for requests to its driver")
{
	return opens(place("HOST", "secret"), O_ACCMODE);
}

ATTEMPT(truncate_by_requests, "empty a file of the host by opening it for requests")
{
	return opens(place("HOST", "secret"), O_ACCMODE | O_TRUNC);
}

ATTEMPT(watch_host, "watch a folder of the host")
{
	int fd = inotify_init1(IN_CLOEXEC);

	return fd < 0 ? CANNOT_TRY : got(inotify_add_watch(fd, world("HOST"), IN_ACCESS));
}

ATTEMPT(watch_other_group, "watch the folder of another group")
{
	int fd = inotify_init1(IN_CLOEXEC);

	return fd < 0 ? CANNOT_TRY
		      : got(inotify_add_watch(fd, place("ROOT", "groups/other"), IN_ACCESS));
}

ATTEMPT(read_attribute, "read an attribute of a file of the host")
{
	char value[64];

	return got(getxattr(place("HOST", "secret"), "user.secret", value, sizeof(value)));
}

/* ext4 has a request of its own for it. */
ATTEMPT(set_generation, "change the generation of a program that it may only run")
{
	int fd = open(place("PROGRAMS", "victim"), O_RDONLY | O_CLOEXEC);
	long generation = 1;

	return fd < 0 ? CANNOT_TRY : got(ioctl(fd, _IOW('f', 4, long), &generation));
}
