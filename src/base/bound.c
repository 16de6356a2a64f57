#include "base/bound.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

#define MOST_DESCRIPTORS 65536

/* A SIGHUP that is ignored stays so, as under nohup. */
static void default_signals(void)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	struct sigaction hangup;
	sigset_t none;

	sigaction(SIGHUP, NULL, &hangup);
	for (int number = 1; number < NSIG; number++)
		if (number != SIGHUP || hangup.sa_handler != SIG_IGN)
			sigaction(number, &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static bool put_streams(const struct bound_request *request)
{
	return (request->in < 0 || dup2(request->in, STDIN_FILENO) >= 0) &&
	       (request->out < 0 || dup2(request->out, STDOUT_FILENO) >= 0) &&
	       (request->errors < 0 || dup2(request->errors, STDERR_FILENO) >= 0);
}

/* The copies are numbered above all of their targets (see copy_descriptors). */
static bool put_descriptors(const int *copies, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (dup2(copies[i], STDERR_FILENO + 1 + (int)i) < 0)
			return false;
	if (close_range(STDERR_FILENO + 1 + (unsigned)count, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
		/* Linux before 5.11, or a filter of system calls. */
		for (int fd = STDERR_FILENO + 1 + (int)count; fd < MOST_DESCRIPTORS; fd++)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
	return true;
}

/*
 * Runs in the child, which shares our memory until it executes the program: it changes only
 * `*ret_errnum`, and calls only functions that are allowed after vfork().
 */
static void __attribute__((noreturn)) become(const struct bound_request *request,
	const int *copies, pid_t parent, volatile int *ret_errnum)
{
	if (request->session)
		setsid();
	else if (!request->foreground)
		setpgid(0, 0);
	if (!request->may_outlive)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!request->may_outlive && getppid() != parent)
		_exit(127); /* it died before the line above */
	default_signals();
	/* The function of the C library would also affect the threads of our process. */
	if (request->no_groups && !geteuid())
		syscall(SYS_setgroups, 0, NULL);
	if (put_streams(request) && (request->cwd < 0 || !fchdir(request->cwd)) &&
		put_descriptors(copies, request->fd_count))
		execve(request->path, (char *const *)(uintptr_t)request->argv,
			(char *const *)(uintptr_t)request->env);
	*ret_errnum = errno;
	_exit(127);
}

/*
 * vfork() copies no page tables, so our size does not matter. We continue when the program was
 * executed, or could not be. Signals are blocked until then: a handler must not run in the
 * child, in our memory.
 */
static pid_t __attribute__((noinline))
start(const struct bound_request *request, const int *copies, volatile int *ret_errnum)
{
	pid_t parent = getpid();
	sigset_t all;
	sigset_t before;
	pid_t pid;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = vfork(); /* NOLINT: posix_spawn() cannot make it die with us */
	if (!pid)
		/* NOLINTNEXTLINE: it keeps to what may be called here */
		become(request, copies, parent, ret_errnum);
	if (pid < 0)
		*ret_errnum = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return pid;
}

static void close_copies(const int *copies, size_t count)
{
	for (size_t i = 0; i < count; i++)
		close(copies[i]);
}

/* No copy has the number of a target, so the order does not matter. */
static int copy_descriptors(const struct bound_request *request, int *copies)
{
	int first = STDERR_FILENO + 1 + (int)request->fd_count;

	for (size_t i = 0; i < request->fd_count; i++) {
		copies[i] = fcntl(request->fds[i], F_DUPFD_CLOEXEC, first);
		if (copies[i] >= 0)
			continue;
		int errnum = errno;

		close_copies(copies, i);
		errno = errnum;
		return -1;
	}
	return 0;
}

pid_t bound_start(const struct bound_request *request)
{
	CLEANUP(freep) int *copies = xcalloc(request->fd_count + 1, sizeof(*copies));
	volatile int errnum = 0;
	pid_t pid;

	if (copy_descriptors(request, copies) < 0)
		return -1;
	pid = start(request, copies, &errnum);
	close_copies(copies, request->fd_count);
	if (!errnum)
		return pid;
	if (pid > 0)
		waitpid(pid, NULL, 0);
	errno = errnum;
	return -1;
}
