#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/disk/project.h"

static char folder[] = "/tmp/nanoclaw-project-XXXXXX";

/* Is the process asleep? Then it waits for the lock. */
static bool is_asleep(pid_t pid)
{
	char path[64], text[256] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		_exit(1);
	close(fd);
	return strstr(text, ") S ") != NULL;
}

/* A nanoclaw that is killed while its child is on the way to another program. */
static void lock_and_die(int line, pid_t test)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct project project = PROJECT_INIT;
	char c;

	if (project_open_folder(folder, &project, &err) < 0 || project_lock(&project, &err) < 0)
		_exit(1);
	if (!fork()) {
		if (read(line, &c, 1) != 1)
			_exit(1);
		while (!is_asleep(test))
			;
		_exit(0);
	}
	raise(SIGKILL);
}

static void the_lock_of_a_killed_process_is_free_in_a_moment(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	pid_t test = getpid(), killed;
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	killed = fork();
	if (!killed)
		lock_and_die(ends[1], test);
	assert_int_equal(waitpid(killed, NULL, 0), killed);
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(write(ends[0], "x", 1), 1);
	assert_int_equal(project_lock(&project, &err), 0);
	close(ends[0]);
	close(ends[1]);
}

static void a_lock_that_somebody_has_is_busy(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(project_release) struct project project = PROJECT_INIT;
	CLEANUP(project_release) struct project other = PROJECT_INIT;

	(void)state;
	assert_int_equal(project_open_folder(folder, &project, &err), 0);
	assert_int_equal(project_open_folder(folder, &other, &err), 0);
	assert_int_equal(project_lock(&project, &err), 0);
	assert_int_equal(project_lock(&other, &err), -1);
	assert_int_equal(err.kind, ERROR_BUSY);
}

static int make_folder(void **state)
{
	(void)state;
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

TESTS(cmocka_unit_test_setup_teardown(
	      the_lock_of_a_killed_process_is_free_in_a_moment, make_folder, remove_folder),
	cmocka_unit_test_setup_teardown(
		a_lock_that_somebody_has_is_busy, make_folder, remove_folder))
