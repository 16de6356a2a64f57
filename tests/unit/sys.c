#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fault.h"
#include "fs/sys.h"
#include "tempdir.h"

static ssize_t (*real_write)(int fd, const void *data, size_t len);
static int interruptions;

/* A kernel that takes one byte at a time, and every other time none. */
static ssize_t reluctant_write(int fd, const void *data, size_t len)
{
	if (interruptions++ % 2 == 0) {
		errno = EINTR;
		return -1;
	}
	return real_write(fd, data, len ? 1 : 0);
}

static void writing_goes_on_after_short_writes_and_interruptions(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(closep) int fd = sys.create(temp->fd, "f", O_WRONLY | O_CREAT, 0600);
	CLEANUP(freep) char *text = NULL;

	real_write = sys.write;
	sys.write = reluctant_write;
	assert_int_equal(sys_write_all(fd, "content", 7), 0);
	sys.write = real_write;
	text = tempdir_get(temp->fd, "f");
	assert_string_equal(text, "content");
}

static void created_descriptors_are_not_inherited(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(closep) int fd = sys.create(temp->fd, "f", O_WRONLY | O_CREAT, 0600);

	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

static void times_of_a_link_are_its_own(void **state)
{
	struct tempdir *temp = *state;
	struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};
	struct stat st;

	tempdir_put(temp->fd, "target", "");
	tempdir_symlink("target", temp->fd, "link");
	assert_int_equal(sys.set_times(temp->fd, "link", times), 0);
	assert_int_equal(fstatat(temp->fd, "link", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_int_equal(st.st_mtim.tv_sec, 2000);
	assert_int_equal(fstatat(temp->fd, "target", &st, 0), 0);
	assert_int_not_equal(st.st_mtim.tv_sec, 2000);
}

static void a_fault_hits_the_call_that_was_asked_for(void **state)
{
	struct tempdir *temp = *state;

	fault_arm(FAULT_EIO, 2);
	assert_int_equal(sys.mkdir(temp->fd, "one", 0755), 0);
	assert_int_equal(sys.mkdir(temp->fd, "two", 0755), -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(sys.mkdir(temp->fd, "three", 0755), 0);
	assert_int_equal(fault_disarm(), 3);
	assert_false(tempdir_exists(temp->fd, "two"));
	assert_true(tempdir_exists(temp->fd, "three"));
}

static void a_full_disk_takes_a_part_and_then_nothing(void **state)
{
	struct tempdir *temp = *state;
	CLEANUP(closep) int fd = sys.create(temp->fd, "f", O_WRONLY | O_CREAT, 0600);
	CLEANUP(freep) char *text = NULL;
	int result;

	fault_arm(FAULT_ENOSPC, 1);
	result = sys_write_all(fd, "content!", 8);
	assert_int_equal(errno, ENOSPC);
	fault_disarm();
	assert_int_equal(result, -1);
	text = tempdir_get(temp->fd, "f");
	assert_string_equal(text, "cont");
}

TESTS(IN_TEMPDIR(writing_goes_on_after_short_writes_and_interruptions),
	IN_TEMPDIR(created_descriptors_are_not_inherited),
	IN_TEMPDIR(times_of_a_link_are_its_own),
	IN_TEMPDIR(a_fault_hits_the_call_that_was_asked_for),
	IN_TEMPDIR(a_full_disk_takes_a_part_and_then_nothing))
