#include "cli/service/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bound.h"
#include "fs/sys.h"
#include "proc/child.h"
#include "proc/log.h"
#include "proc/process.h"

/* For a command that is to release its lock: then it is killed. */
#define GUARD_GRACE_MS 5000

struct guard {
	pid_t pid;
	int pidfd;
	int out;
};

static pid_t guarded; /* the host's process */

static int guard_start(const char *command, struct guard *ret_guard, struct error *err)
{
	extern char **environ;
	CLEANUP(child_free_argv) char **argv = NULL;
	CLEANUP(freep) char *path = NULL;
	int ends[2];

	if (child_split(command, &argv, err) < 0)
		return error_prefix(err, "--guard");
	path = process_find(argv[0]);
	if (!path)
		return error_set(
			err, ERROR_INVALID, "--guard: there is no program '%s'", argv[0]);
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_errno(err, "cannot make a pipe");
	ret_guard->pid = bound_start(&(struct bound_request){
		.path = path,
		.argv = (const char *const *)argv,
		.env = (const char *const *)environ,
		.in = -1,
		.out = ends[1],
		.errors = -1,
		.cwd = -1,
	});
	close(ends[1]);
	ret_guard->out = ends[0];
	if (ret_guard->pid < 0)
		return error_errno(err, "cannot start '%s'", argv[0]);
	ret_guard->pidfd = (int)syscall(SYS_pidfd_open, ret_guard->pid, 0);
	return ret_guard->pidfd < 0 ? error_errno(err, "cannot watch '%s'", argv[0]) : 0;
}

/* Drop what it writes, so that it never waits for us. True: a line has come. */
static bool guard_drain(struct guard *guard)
{
	char text[4096];
	ssize_t n = read(guard->out, text, sizeof(text));
	bool line = false;

	for (ssize_t i = 0; i < n; i++)
		line |= text[i] == '\n';
	if (!n) {
		close(guard->out);
		guard->out = -1;
	}
	return line;
}

static bool guard_has_ended(const struct guard *guard)
{
	struct pollfd fd = {guard->pidfd, POLLIN, 0};

	return poll(&fd, 1, 0) > 0;
}

static int exit_code_of(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A terminal sends its signals to the host, too. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code != SI_KERNEL)
		kill(guarded, number);
}

static void guard_pass_signals_on(void)
{
	static const int passed_on[] = {SIGTERM, SIGHUP, SIGINT, SIGUSR1};
	const struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO};

	for (size_t i = 0; i < ARRAY_SIZE(passed_on); i++)
		sigaction(passed_on[i], &action, NULL);
	signal(SIGTSTP, SIG_IGN); /* a host that is stopped still has a guard */
}

/* Until one of the two has ended: exits as the host does, or returns -1 for the guard. */
static int guard_watch(struct guard *guard, int hostfd, struct error *err)
{
	struct pollfd fds[] = {{guard->pidfd, POLLIN, 0}, {hostfd, POLLIN, 0}, {0}};

	for (;;) {
		fds[2] = (struct pollfd){guard->out, POLLIN, 0};
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0)
			continue;
		if (fds[0].revents) {
			kill(guarded, SIGKILL);
			exit_code_of(guarded);
			kill(-guard->pid, SIGKILL); /* what it has left */
			return error_set(err, ERROR_FAILED,
				"the guard has ended (exit code %d), and so has the host",
				exit_code_of(guard->pid));
		}
		if (fds[1].revents)
			break;
		if (fds[2].revents)
			guard_drain(guard);
	}
	kill(-guard->pid, SIGTERM);
	fds[0].revents = 0;
	if (poll(fds, 1, GUARD_GRACE_MS) <= 0)
		kill(-guard->pid, SIGKILL);
	exit_code_of(guard->pid);
	_exit(exit_code_of(guarded));
}

int guard_hold(const char *command, struct error *err)
{
	struct guard guard = {.out = -1, .pidfd = -1};
	CLEANUP(freep) char *pid = NULL;
	pid_t us = getpid();
	int hostfd;

	if (guard_start(command, &guard, err) < 0)
		return -1;
	log_note("waiting until the guard writes a line: %s", command);
	while (guard.out >= 0 && !guard_drain(&guard))
		;
	if (guard.out < 0 || guard_has_ended(&guard)) {
		kill(-guard.pid, SIGKILL);
		error_set(err, ERROR_FAILED,
			"the guard has ended (exit code %d), and no host ran",
			exit_code_of(guard.pid));
		return error_hint(
			err, "it has to write a line when it holds the lock, and to run on");
	}
	guarded = fork();
	if (guarded < 0)
		return error_errno(err, "cannot start the host");
	if (!guarded) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != us)
			_exit(EXIT_FAILURE);
		close(guard.out);
		close(guard.pidfd);
		pid = xasprintf("%d", (int)getpid());
		setenv("WATCHDOG_PID", pid, true); /* systemd's watchdog hears the host */
		return 0;
	}
	guard_pass_signals_on();
	hostfd = (int)syscall(SYS_pidfd_open, guarded, 0);
	if (hostfd < 0) {
		kill(guarded, SIGKILL);
		return error_errno(err, "cannot watch the host");
	}
	return guard_watch(&guard, hostfd, err);
}
