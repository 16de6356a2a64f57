/*
 * Outside: podman or docker. The container is not our child and would outlive us and the
 * host. So this process stays: when the host dies it gets SIGTERM and removes the container.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/launcher/launcher.h"

static void hold_signals(sigset_t *ret_held)
{
	sigemptyset(ret_held);
	sigaddset(ret_held, SIGCHLD);
	sigaddset(ret_held, SIGHUP);
	sigaddset(ret_held, SIGINT);
	sigaddset(ret_held, SIGTERM);
	sigprocmask(SIG_BLOCK, ret_held, NULL);
}

static pid_t engine_start(char **argv)
{
	pid_t pid = fork();
	sigset_t none;

	if (pid)
		return pid;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execv(argv[0], argv);
	_exit(EXIT_SANDBOX);
}

/* If the container is already gone, the engine's error is not shown. */
static void remove_container(const char *engine, const char *container)
{
	pid_t pid = fork();

	if (!pid) {
		int nowhere = open("/dev/null", O_RDWR);

		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
		dup2(nowhere, STDERR_FILENO);
		execl(engine, engine, "rm", "--force", container, (char *)NULL);
		_exit(1);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* True with the engine's status when it has ended, false when we were told to end it. */
static bool engine_wait(pid_t pid, const sigset_t *held, int *ret_status)
{
	for (;;) {
		int signal = sigwaitinfo(held, NULL);

		if (waitpid(pid, ret_status, WNOHANG) == pid)
			return true;
		if (signal > 0 && signal != SIGCHLD)
			return false;
	}
}

int launch_container(const struct launch *launch, struct error *err)
{
	pid_t host = getppid();
	sigset_t held;
	int status = 0;
	bool ended;
	pid_t pid;

	if (!launch->container)
		return error_set(err, ERROR_INVALID, "the container has no name");
	if (launch_compare(launch, err) < 0)
		return -1;
	hold_signals(&held);
	/* Until here SIGKILL came with the death of the host. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != host)
		return error_set(err, ERROR_FAILED, "the host is gone");
	pid = engine_start(launch->argv);
	if (pid < 0)
		return error_errno(err, "cannot run '%s'", launch->argv[0]);
	ended = engine_wait(pid, &held, &status);
	remove_container(launch->argv[0], launch->container);
	if (!ended) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
