/* One writer of the store, even while a command takes back the store that it made. */
#include "../test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/sys.h"
#include "host/base/lock.h"
#include "tempdir.h"

/* What another process does in the middle of a call. */
static struct {
	struct sys_calls real;
	int root;
	void (*other)(void); /* once */
	int lock;            /* that it holds, or -1 */
} meanwhile;

static void meanwhile_happens(void)
{
	void (*other)(void) = meanwhile.other;

	meanwhile.other = NULL;
	if (other)
		other();
}

static int create_then(int dirfd, const char *name, int flags, mode_t mode)
{
	int fd = meanwhile.real.create(dirfd, name, flags, mode);

	meanwhile_happens();
	return fd;
}

static int unlink_then(int dirfd, const char *name, int flags)
{
	int failed = meanwhile.real.unlink(dirfd, name, flags);

	if (!strcmp(name, "lock"))
		meanwhile_happens();
	return failed;
}

static int meanwhile_setup(void **state)
{
	int failed = tempdir_setup(state);

	meanwhile.real = sys;
	meanwhile.root = ((struct tempdir *)*state)->fd;
	meanwhile.other = NULL;
	meanwhile.lock = -1;
	return failed;
}

static int meanwhile_teardown(void **state)
{
	sys = meanwhile.real;
	closep(&meanwhile.lock);
	return tempdir_teardown(state);
}

static void store_goes(void)
{
	assert_int_equal(unlinkat(meanwhile.root, "store/lock", 0), 0);
	assert_int_equal(unlinkat(meanwhile.root, "store", AT_REMOVEDIR), 0);
}

static void other_makes_store(void)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	assert_int_equal(lock_take(meanwhile.root, &meanwhile.lock, &err), 0);
	tempdir_put(meanwhile.root, "store/nanoclaw.db", "the other's");
}

static void store_is_made_again(void)
{
	store_goes();
	other_makes_store();
}

static void assert_held(int fd)
{
	struct stat held, named;

	assert_int_equal(fstat(fd, &held), 0);
	assert_int_equal(fstatat(meanwhile.root, "store/lock", &named, 0), 0);
	assert_true(held.st_ino == named.st_ino);
}

static void a_lock_that_is_gone_when_it_is_taken_is_made_again(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	(void)state;
	sys.create = create_then;
	meanwhile.other = store_goes;
	assert_int_equal(lock_take(meanwhile.root, &fd, &err), 0);
	assert_null(meanwhile.other);
	assert_held(fd);
}

static void two_never_hold_the_lock_of_two_files(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	(void)state;
	sys.create = create_then;
	meanwhile.other = store_is_made_again;
	assert_int_equal(lock_take(meanwhile.root, &fd, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
	assert_held(meanwhile.lock);
}

static void a_store_that_is_taken_back_leaves_nothing(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	(void)state;
	assert_int_equal(lock_take(meanwhile.root, &fd, &err), 0);
	tempdir_put(meanwhile.root, "store/nanoclaw.db", "mine");
	tempdir_mkdir(meanwhile.root, "store/media");
	tempdir_put(meanwhile.root, "store/media/1", "mine");
	lock_remove_store(meanwhile.root);
	assert_false(tempdir_exists(meanwhile.root, "store"));
}

static void who_locks_while_a_store_is_taken_back_keeps_what_it_writes(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(closep) int fd = -1;

	(void)state;
	assert_int_equal(lock_take(meanwhile.root, &fd, &err), 0);
	tempdir_put(meanwhile.root, "store/nanoclaw.db", "mine");
	sys.unlink = unlink_then;
	meanwhile.other = other_makes_store;
	lock_remove_store(meanwhile.root);
	assert_null(meanwhile.other);
	assert_held(meanwhile.lock);
	assert_true(tempdir_exists(meanwhile.root, "store/nanoclaw.db"));
}

#define WITH_OTHER(test)                                                                       \
	cmocka_unit_test_setup_teardown(test, meanwhile_setup, meanwhile_teardown)

TESTS(WITH_OTHER(a_lock_that_is_gone_when_it_is_taken_is_made_again),
	WITH_OTHER(two_never_hold_the_lock_of_two_files),
	WITH_OTHER(a_store_that_is_taken_back_leaves_nothing),
	WITH_OTHER(who_locks_while_a_store_is_taken_back_keeps_what_it_writes))
