#include "proc/notify.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tempdir.h"
#include "test.h"

/* A socket of this name; '@' is the abstract namespace. */
static int listen_at(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	assert_true(strlen(name) < sizeof(address.sun_path));
	memcpy(address.sun_path, name, strlen(name));
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	assert_int_equal(
		bind(fd, (struct sockaddr *)&address,
			(socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))),
		0);
	return fd;
}

static void check(const char *name)
{
	CLEANUP(closep) int fd = listen_at(name);
	char heard[64] = "";

	setenv("NOTIFY_SOCKET", name, 1);
	notify_send("READY=1");
	assert_int_equal(recv(fd, heard, sizeof(heard) - 1, 0), strlen("READY=1"));
	assert_string_equal(heard, "READY=1");
	unsetenv("NOTIFY_SOCKET");
	notify_send("READY=1");
	assert_int_equal(recv(fd, heard, sizeof(heard) - 1, 0), -1);
}

static void a_manager_is_told(void **state)
{
	struct tempdir *dir = *state;
	CLEANUP(freep) char *path = xasprintf("%s/notify", dir->path);
	CLEANUP(freep) char *abstract = xasprintf("@nanoclaw-test-%d", (int)getpid());

	check(path);
	check(abstract);
}

static void nobody_to_be_told_is_no_harm(void **state)
{
	CLEANUP(freep) char *longest = xmalloc(4096);

	(void)state;
	memset(longest, '/', 4095);
	longest[4095] = '\0';
	setenv("NOTIFY_SOCKET", "/nowhere/at/all", 1);
	notify_send("READY=1");
	setenv("NOTIFY_SOCKET", longest, 1);
	notify_send("READY=1");
	setenv("NOTIFY_SOCKET", "", 1);
	notify_send("READY=1");
	unsetenv("NOTIFY_SOCKET");
}

static void only_the_process_that_is_meant_has_a_watchdog(void **state)
{
	CLEANUP(freep) char *me = xasprintf("%d", (int)getpid());

	(void)state;
	assert_int_equal(notify_watchdog_ms(), 0);
	setenv("WATCHDOG_USEC", "120000000", 1);
	assert_int_equal(notify_watchdog_ms(), 120000);
	setenv("WATCHDOG_PID", "1", 1);
	assert_int_equal(notify_watchdog_ms(), 0);
	setenv("WATCHDOG_PID", me, 1);
	assert_int_equal(notify_watchdog_ms(), 120000);
	setenv("WATCHDOG_USEC", "12x", 1);
	assert_int_equal(notify_watchdog_ms(), 0);
	setenv("WATCHDOG_USEC", "-5", 1);
	assert_int_equal(notify_watchdog_ms(), 0);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

TESTS(IN_TEMPDIR(a_manager_is_told), cmocka_unit_test(nobody_to_be_told_is_no_harm),
	cmocka_unit_test(only_the_process_that_is_meant_has_a_watchdog))
