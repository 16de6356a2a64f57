/*
 * A store that cannot be written: a full disk, or one that fails.
 *
 *	disk HOST AGENT BRIDGE
 *
 * The sender of a message learns that it was not stored, and why. Acknowledged messages are
 * answered once, and work continues when there is room again.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../harness/tap.h"
#include "driver.h"

#define BEFORE 20
#define DURING 20

struct failure {
	const char *claim;
	bool (*prepare)(struct driver *d); /* false: it cannot be done here; may be NULL */
	void (*begin)(struct driver *d);
	void (*end)(struct driver *d);
	const char *reason; /* as SQLite says it */
};

/* --- a disk that fails: the host may not make files longer ------------------- */

static void limit_files(struct driver *d, rlim_t limit)
{
	struct rlimit limits;

	if (prlimit(d->pid, RLIMIT_FSIZE, NULL, &limits) < 0)
		driver_fail(d, "prlimit");
	limits.rlim_cur = limit;
	if (prlimit(d->pid, RLIMIT_FSIZE, &limits, NULL) < 0)
		driver_fail(d, "prlimit");
}

static void forbid_writing(struct driver *d)
{
	limit_files(d, 0);
}

static void allow_writing(struct driver *d)
{
	limit_files(d, RLIM_INFINITY);
}

/* --- a full one: a small file system, and a file that fills it --------------- */

static char *path_in(struct driver *d, const char *name)
{
	return xasprintf("%s/%s", d->root, name);
}

/* In a name space of our own: nobody else sees it, and it goes with us. */
static bool mount_store(struct driver *d)
{
	CLEANUP(freep) char *store = path_in(d, "store");

	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("nanoclaw", store, "tmpfs", 0, "size=8m,mode=700");
}

static void unmount_store(struct driver *d)
{
	CLEANUP(freep) char *store = path_in(d, "store");

	umount2(store, MNT_DETACH); /* if it is one */
}

static void fill(struct driver *d)
{
	static const char zeros[4096];
	CLEANUP(freep) char *path = path_in(d, "store/filler");
	CLEANUP(closep) int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	if (fd < 0)
		driver_fail(d, "cannot make '%s'", path);
	while (write(fd, zeros, sizeof(zeros)) > 0)
		;
}

static void make_room(struct driver *d)
{
	CLEANUP(freep) char *path = path_in(d, "store/filler");

	unlink(path);
}

static const struct failure failures[] = {
	{"a disk that fails loses nothing", NULL, forbid_writing, allow_writing, "I/O error"},
	{"a full disk loses nothing", mount_store, fill, make_room, "disk is full"},
};

/* --- the work ---------------------------------------------------------------- */

static void feed(struct driver *d, int from, int count)
{
	for (int i = from; i < from + count; i++) {
		CLEANUP(freep) char *id = xasprintf("m%d", i);

		driver_feed(d, id, "test:1", id);
	}
}

/* How often a message was answered: each answer is words, one for each message. */
static int answered(const struct driver *d, int number)
{
	CLEANUP(freep) char *wanted = xasprintf("m%d", number);
	int count = 0;

	for (size_t i = 0; i < d->sent_count; i++) {
		struct view rest = view_of(d->sent[i].text);
		struct view word;

		while (view_next(&rest, ' ', &word))
			count += view_equal(word, view_of(wanted));
	}
	return count;
}

static bool all_answered(struct driver *d, void *data)
{
	const int *count = data;

	driver_read_sent(d);
	for (int i = 0; i < *count; i++)
		if (!answered(d, i))
			return false;
	return true;
}

/* Say something until it is refused: at first there may be some room left. */
static bool is_refused_with(struct driver *d, const char *reason)
{
	static char large[32 * 1024];
	const char *const words[] = {"send", "main", large, NULL};
	int exit_code = 0;

	memset(large, 'x', sizeof(large) - 1);
	for (int i = 0; i < 1000; i++) {
		CLEANUP(freep) char *said = driver_run(d, words, &exit_code);

		if (exit_code == 0)
			continue;
		if (!strstr(said, "could not be stored") || !strstr(said, reason)) {
			tap_note(said);
			return false;
		}
		return exit_code == 1;
	}
	printf("# it is never refused\n");
	return false;
}

static bool goes_on(struct driver *d, const struct failure *failure)
{
	const char *const status[] = {"status", NULL};
	int count = BEFORE;
	int exit_code;
	bool ok;

	feed(d, 0, BEFORE);
	driver_start_ready(d);
	driver_wait(d, all_answered, &count, "all is answered before");
	failure->begin(d);
	ok = is_refused_with(d, failure->reason);
	feed(d, BEFORE, DURING);
	driver_try_signal(d, SIGUSR1);
	free(driver_run(d, status, &exit_code));
	ok = ok && exit_code == 0 && driver_is_alive(d);
	failure->end(d);
	count = BEFORE + DURING;
	driver_wait(d, all_answered, &count, "all is answered afterwards");
	for (int i = 0; i < count; i++)
		if (answered(d, i) != 1) {
			printf("# m%d was answered %d times\n", i, answered(d, i));
			ok = false;
		}
	return driver_stop(d) == 0 && ok;
}

int main(int argc, char **argv)
{
	struct tap tap = {0};

	if (argc != 4)
		return 2;
	for (size_t i = 0; i < ARRAY_SIZE(failures); i++) {
		const struct failure *failure = &failures[i];
		struct driver d;
		bool can;

		driver_init(&d, argv[1], argv[2], argv[3]);
		can = !failure->prepare || failure->prepare(&d);
		if (can) {
			driver_group(&d, "g1", "test:1", false);
			driver_bridge(&d, "test", "plain");
			tap_result(&tap, goes_on(&d, failure), failure->claim);
		} else {
			printf("# nothing can be mounted here\n");
		}
		unmount_store(&d);
		driver_release(&d);
	}
	return tap_end(&tap);
}
