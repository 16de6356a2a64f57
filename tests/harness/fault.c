#include "fault.h"

#include <assert.h>
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "fs/sys.h"

static struct sys_calls real;
static enum fault_mode mode;
static unsigned long fault_at;
static unsigned long calls;
static char kinds[1 << 16]; /* of calls, as NANOCLAW_FAULT_COUNT has them */
static unsigned long reads;
static uint64_t places[16384]; /* call paths to functions of the engine; a hash table */
static unsigned long place_count;

static void __attribute__((noreturn)) die_here(void)
{
	kill(getpid(), SIGKILL);
	abort();
}

/*
 * Called before each changing call. `allocates` is whether the call needs room
 * on the disk. Returns 0 to go on, or the errno with which the call fails.
 */
static int trip(bool allocates)
{
	if (calls < sizeof(kinds) - 1)
		kinds[calls] = allocates ? 'a' : '-';
	calls++;
	if (calls < fault_at || mode == FAULT_COUNT || mode >= FAULT_READ)
		return 0;
	if (mode == FAULT_ENOSPC)
		return allocates ? ENOSPC : 0;
	if (calls > fault_at)
		return 0;
	if (mode == FAULT_EIO)
		return EIO;
	die_here();
}

bool fault_trips_read(void)
{
	reads++;
	if (mode != FAULT_READ || reads != fault_at)
		return false;
	errno = EIO;
	return true;
}

/* Of the functions that led here: the same call in a rehearsal is another one. */
static uint64_t hash_of_path(void)
{
	void *frames[64];
	int count = backtrace(frames, ARRAY_SIZE(frames));
	uint64_t hash = 14695981039346656037U; /* FNV-1a, by words */

	for (int i = 2; i < count; i++)
		hash = (hash ^ (uintptr_t)frames[i]) * 1099511628211U;
	return hash ? hash : 1;
}

bool fault_trips_call(struct error *err)
{
	uint64_t path = hash_of_path();
	size_t at = path % ARRAY_SIZE(places);

	if (err->kind != ERROR_NONE)
		fprintf(stderr, "an error was ignored: %s\n", err->message);
	while (places[at] && places[at] != path)
		at = (at + 1) % ARRAY_SIZE(places);
	if (places[at])
		return false;
	assert(place_count < ARRAY_SIZE(places) / 2);
	places[at] = path;
	place_count++;
	if (mode != FAULT_CALL || place_count != fault_at)
		return false;
	errno = EIO;
	error_errno(err, "made to fail");
	return true;
}

#define TRIP(allocates)                                                                        \
	do {                                                                                   \
		int trip_error_ = trip(allocates);                                             \
		if (trip_error_) {                                                             \
			errno = trip_error_;                                                   \
			return -1;                                                             \
		}                                                                              \
	} while (0)

static int fault_create(int dirfd, const char *name, int flags, mode_t permissions)
{
	TRIP(true);
	return real.create(dirfd, name, flags, permissions);
}

static ssize_t fault_write(int fd, const void *data, size_t len)
{
	if (mode == FAULT_TORN && calls + 1 == fault_at) {
		real.write(fd, data, len / 2);
		die_here();
	}
	/* A disk that becomes full takes what still fits: first a short write. */
	if (mode == FAULT_ENOSPC && calls + 1 == fault_at && len > 1) {
		calls++;
		return real.write(fd, data, len / 2);
	}
	TRIP(true);
	if (calls < sizeof(kinds))
		kinds[calls - 1] = 'w';
	return real.write(fd, data, len);
}

static ssize_t fault_copy_range(int from, int to, size_t len)
{
	TRIP(true);
	return real.copy_range(from, to, len);
}

static int fault_truncate(int fd, off_t len)
{
	TRIP(false);
	return real.truncate(fd, len);
}

static int fault_sync(int fd)
{
	TRIP(false);
	return real.sync(fd);
}

static int fault_sync_all(int fd)
{
	TRIP(false);
	return real.sync_all(fd);
}

static int fault_chmod(int fd, mode_t permissions)
{
	TRIP(false);
	return real.chmod(fd, permissions);
}

static int fault_set_times(int dirfd, const char *name, const struct timespec times[2])
{
	TRIP(false);
	return real.set_times(dirfd, name, times);
}

static int fault_rename(int fromfd, const char *from, int tofd, const char *to, unsigned flags)
{
	TRIP(false);
	return real.rename(fromfd, from, tofd, to, flags);
}

static int fault_link(int fromfd, const char *from, int tofd, const char *to)
{
	TRIP(true);
	return real.link(fromfd, from, tofd, to);
}

static int fault_symlink(const char *target, int dirfd, const char *name)
{
	TRIP(true);
	return real.symlink(target, dirfd, name);
}

static int fault_unlink(int dirfd, const char *name, int flags)
{
	TRIP(false);
	return real.unlink(dirfd, name, flags);
}

static int fault_mkdir(int dirfd, const char *name, mode_t permissions)
{
	TRIP(true);
	return real.mkdir(dirfd, name, permissions);
}

void fault_arm(enum fault_mode new_mode, unsigned long at)
{
	/* Functions that a test has put into the table are called by the faulty ones. */
	if (sys.write != fault_write)
		real = sys;
	mode = new_mode;
	fault_at = at;
	calls = 0;
	reads = 0;
	sys = (struct sys_calls){
		.create = fault_create,
		.write = fault_write,
		.copy_range = fault_copy_range,
		.truncate = fault_truncate,
		.sync = fault_sync,
		.sync_all = fault_sync_all,
		.chmod = fault_chmod,
		.set_times = fault_set_times,
		.rename = fault_rename,
		.link = fault_link,
		.symlink = fault_symlink,
		.unlink = fault_unlink,
		.mkdir = fault_mkdir,
	};
}

unsigned long fault_disarm(void)
{
	if (sys.write == fault_write)
		sys = real;
	return calls;
}

int fault_mode_of(const char *name)
{
	static const char *const names[] = {
		[FAULT_COUNT] = "count",
		[FAULT_KILL] = "kill",
		[FAULT_TORN] = "torn",
		[FAULT_EIO] = "eio",
		[FAULT_ENOSPC] = "enospc",
		[FAULT_READ] = "read",
		[FAULT_CALL] = "call",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return (int)i;
	return -1;
}

static void write_count(void)
{
	FILE *file = fopen(getenv("NANOCLAW_FAULT_COUNT"), "w");

	if (file) {
		fprintf(file, "%lu %lu %lu\n%s\n", calls, reads, place_count, kinds);
		fclose(file);
	}
}

static void __attribute__((constructor)) arm_from_environment(void)
{
	const char *wish = getenv("NANOCLAW_FAULT");
	char name[16];
	unsigned long at;

	if (!wish)
		return;
	if (sscanf(wish, "%15s %lu", name, &at) != 2 || fault_mode_of(name) < 0) {
		fprintf(stderr, "NANOCLAW_FAULT: cannot read '%s'\n", wish);
		_exit(99);
	}
	fault_arm((enum fault_mode)fault_mode_of(name), at);
	if (getenv("NANOCLAW_FAULT_COUNT"))
		atexit(write_count);
}
