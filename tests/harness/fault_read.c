/*
 * For nanoclaw-faulty: the calls that read go through here (`ld --wrap`), so that one of them
 * can fail. They have no table in the program, unlike those that change something.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault.h"

int __real_openat64(int dirfd, const char *name, int flags, mode_t permissions);
int __wrap_openat64(int dirfd, const char *name, int flags, mode_t permissions);
int __real___openat64_2(int dirfd, const char *name, int flags);
int __wrap___openat64_2(int dirfd, const char *name, int flags);
int __real_fstatat64(int dirfd, const char *name, struct stat *st, int flags);
int __wrap_fstatat64(int dirfd, const char *name, struct stat *st, int flags);
ssize_t __real_read(int fd, void *data, size_t len);
ssize_t __wrap_read(int fd, void *data, size_t len);
ssize_t __real_readlinkat(int dirfd, const char *name, char *data, size_t len);
ssize_t __wrap_readlinkat(int dirfd, const char *name, char *data, size_t len);
struct dirent *__real_readdir64(DIR *dir);
struct dirent *__wrap_readdir64(DIR *dir);
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

int __wrap_openat64(int dirfd, const char *name, int flags, mode_t permissions)
{
	if (!(flags & O_CREAT) && fault_trips_read())
		return -1;
	return __real_openat64(dirfd, name, flags, permissions);
}

int __wrap___openat64_2(int dirfd, const char *name, int flags)
{
	return fault_trips_read() ? -1 : __real___openat64_2(dirfd, name, flags);
}

int __wrap_fstatat64(int dirfd, const char *name, struct stat *st, int flags)
{
	return fault_trips_read() ? -1 : __real_fstatat64(dirfd, name, st, flags);
}

/* Not from pipes, which do not fail. */
ssize_t __wrap_read(int fd, void *data, size_t len)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && fault_trips_read())
		return -1;
	return __real_read(fd, data, len);
}

ssize_t __wrap_readlinkat(int dirfd, const char *name, char *data, size_t len)
{
	return fault_trips_read() ? -1 : __real_readlinkat(dirfd, name, data, len);
}

struct dirent *__wrap_readdir64(DIR *dir)
{
	return fault_trips_read() ? NULL : __real_readdir64(dir);
}

/* openat2() is called so. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_openat2 && fault_trips_read())
		return -1;
	return __real_syscall(number, a, b, c, d, e, f);
}
