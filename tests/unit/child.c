#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc/child.h"
#include "tempdir.h"

static const char *const environment[] = {"PATH=/usr/bin:/bin", "A=b", NULL};

static struct child start(struct tempdir *temp, const char *script)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct child_request request = {
		.argv = (const char *const[]){"sh", "-c", script, NULL},
		.env = environment,
		.cwd = temp->fd,
	};
	struct child child;

	assert_int_equal(child_start(&request, &child, &err), 0);
	return child;
}

static int end_of(struct child *child)
{
	struct pollfd fd = {child->pidfd, POLLIN, 0};
	int code;

	assert_int_equal(poll(&fd, 1, 60000), 1);
	code = child_reap(child);
	child_release(child);
	return code;
}

static void it_talks_through_pipes_in_its_folder(void **state)
{
	struct tempdir *temp = *state;
	struct child child = start(temp, "read x; echo \"$x $A\" >out; exit 4");

	assert_int_equal(write(child.in, "hello\n", 6), 6);
	assert_int_equal(end_of(&child), 4);
	CLEANUP(freep) char *out = tempdir_get(temp->fd, "out");
	assert_string_equal(out, "hello b\n");
}

static void it_gets_nothing_of_our_environment_and_descriptors(void **state)
{
	struct tempdir *temp = *state;
	struct child child;
	int leak = open("/dev/null", O_RDONLY);

	setenv("SECRET", "x", 1);
	child = start(temp, "echo \"${SECRET-none}\" >out; ls /proc/self/fd | wc -l >>out");
	assert_int_equal(end_of(&child), 0);
	close(leak);
	CLEANUP(freep) char *out = tempdir_get(temp->fd, "out");
	/* Three, and the one with which ls reads the folder. */
	assert_string_equal(out, "none\n4\n");
}

static void it_gets_the_descriptors_that_it_is_given_in_their_order(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	struct child child;
	int fds[2];

	tempdir_put(temp->fd, "a", "first");
	tempdir_put(temp->fd, "b", "second");
	/* Each is where the other one has to go, if they are 3 and 4. */
	fds[1] = openat(temp->fd, "b", O_RDONLY | O_CLOEXEC);
	fds[0] = openat(temp->fd, "a", O_RDONLY | O_CLOEXEC);
	assert_int_equal(child_start(
				 &(struct child_request){
					 .argv = (const char *const[]){"sh", "-c",
						 "cat <&3 >out; cat <&4 >>out;"
						 "ls /proc/self/fd | wc -l >>out",
						 NULL},
					 .env = environment,
					 .cwd = temp->fd,
					 .fds = fds,
					 .fd_count = 2,
				 },
				 &child, &err),
		0);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(end_of(&child), 0);
	CLEANUP(freep) char *out = tempdir_get(temp->fd, "out");
	assert_string_equal(out, "firstsecond6\n");
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct tempdir *temp = *state;
	struct child_request request = {
		.argv = (const char *const[]){"./missing", NULL},
		.env = environment,
		.cwd = temp->fd,
	};
	struct child child;

	assert_int_equal(child_start(&request, &child, &err), -1);
	assert_int_equal(err.errnum, ENOENT);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_signal_ends_the_whole_group(void **state)
{
	struct tempdir *temp = *state;
	struct child child = start(temp, "sleep 1000 & wait");

	child_signal(&child, SIGKILL);
	assert_int_equal(end_of(&child), 128 + SIGKILL);
}

/* Runs in a process that is going to be killed: starts a child, and tells its pidfd. */
static void __attribute__((noreturn)) be_a_parent(struct tempdir *temp, int tell)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	struct child_request request = {
		.argv = (const char *const[]){"sleep", "1000", NULL},
		.env = environment,
		.cwd = temp->fd,
	};
	struct child child;

	if (child_start(&request, &child, &err) < 0 ||
		write(tell, &child.pid, sizeof(child.pid)) < 0)
		_exit(1);
	for (;;)
		pause();
}

static void it_dies_with_its_parent(void **state)
{
	int pipe_fds[2];
	pid_t parent;
	pid_t child;
	int pidfd;

	assert_int_equal(pipe(pipe_fds), 0);
	parent = fork();
	if (!parent)
		be_a_parent(*state, pipe_fds[1]);
	assert_int_equal(read(pipe_fds[0], &child, sizeof(child)), sizeof(child));
	pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	assert_true(pidfd >= 0);
	kill(parent, SIGKILL);
	waitpid(parent, NULL, 0);
	assert_int_equal(poll(&(struct pollfd){pidfd, POLLIN, 0}, 1, 60000), 1);
	close(pidfd);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
}

static void command_lines_are_split_as_by_a_shell(void **state)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(child_free_argv) char **argv = NULL;

	(void)state;
	assert_int_equal(child_split(" a 'b c' \"d\\\"e\"f g\\ h '' ", &argv, &err), 0);
	assert_string_equal(argv[0], "a");
	assert_string_equal(argv[1], "b c");
	assert_string_equal(argv[2], "d\"ef");
	assert_string_equal(argv[3], "g h");
	assert_string_equal(argv[4], "");
	assert_null(argv[5]);
	assert_int_equal(child_split("a 'b", &argv, &err), -1);
	error_clear(&err);
	assert_int_equal(child_split("  ", &argv, &err), -1);
}

TESTS(IN_TEMPDIR(it_talks_through_pipes_in_its_folder),
	IN_TEMPDIR(it_gets_nothing_of_our_environment_and_descriptors),
	IN_TEMPDIR(it_gets_the_descriptors_that_it_is_given_in_their_order),
	IN_TEMPDIR(a_program_that_is_not_there_is_an_error),
	IN_TEMPDIR(a_signal_ends_the_whole_group), IN_TEMPDIR(it_dies_with_its_parent),
	cmocka_unit_test(command_lines_are_split_as_by_a_shell))
