/* What can be done to processes of the host from outside: limits, priorities, signals, locks.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

#define IO_OF_PROCESS 1
#define IO_OF_USER    3
#define IO_USUAL      ((2 << 13) | 4) /* best effort, in the middle */
#define NOBODY_ELSE   61234           /* a user without processes */
#define PEER_PIDFD    77              /* SO_PEERPIDFD */

static pid_t victim(void)
{
	return (pid_t)world_number("VICTIM");
}

ATTEMPT(limit_victim, "limit a process of the host")
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_CORE, &limit) < 0)
		return CANNOT_TRY;
	limit.rlim_cur = 0;
	return got(prlimit(victim(), RLIMIT_CORE, &limit, NULL));
}

ATTEMPT(slow_down_victim, "lower the priority of a process of the host")
{
	return got(setpriority(PRIO_PROCESS, (id_t)victim(), 19));
}

ATTEMPT(io_of_victim, "lower the priority of a process of the host for the disk")
{
	return got(syscall(SYS_ioprio_set, IO_OF_PROCESS, victim(), IO_USUAL));
}

ATTEMPT(bind_victim, "bind a process of the host to a processor")
{
	cpu_set_t processors;

	if (sched_getaffinity(0, sizeof(processors), &processors) < 0)
		return CANNOT_TRY;
	return got(sched_setaffinity(victim(), sizeof(processors), &processors));
}

ATTEMPT(schedule_victim, "change how a process of the host is scheduled")
{
	struct sched_param parameters = {0};

	return got(sched_setscheduler(victim(), SCHED_BATCH, &parameters));
}

/* Of a user who has nothing else where we may become one: it is for all of its processes. */
static enum outcome as_user(long (*function)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (!geteuid())
			(void)!setresuid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE);
		_exit(function() < 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return CANNOT_TRY;
	return status ? REFUSED : GOT_THROUGH;
}

/* EACCES: it got at a process, whose priority was too low to be raised. */
static long slow_down_user(void)
{
	long result = setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0));

	return result < 0 && errno == EACCES ? 0 : result;
}

static long io_of_user(void)
{
	return syscall(SYS_ioprio_set, IO_OF_USER, getuid(), IO_USUAL);
}

/* It is for the processes that one can see, so a namespace is wall enough. */
static bool sees_victim(void)
{
	return kill(victim(), 0) == 0 || errno != ESRCH;
}

ATTEMPT(slow_down_user, "lower the priority of all processes of the user")
{
	return sees_victim() ? as_user(slow_down_user) : REFUSED;
}

ATTEMPT(io_of_user, "lower the priority of all processes of the user for the disk")
{
	return sees_victim() ? as_user(io_of_user) : REFUSED;
}

ATTEMPT(signal_by_pipe, "have the kernel signal a process of the host about a pipe")
{
	int ends[2];

	return pipe(ends) < 0 ? CANNOT_TRY : got(fcntl(ends[0], F_SETOWN, victim()));
}

ATTEMPT(signal_by_pipe_ex, "have the kernel do so by a newer call")
{
	struct f_owner_ex owner = {F_OWNER_PID, victim()};
	int ends[2];

	return pipe(ends) < 0 ? CANNOT_TRY : got(fcntl(ends[0], F_SETOWN_EX, &owner));
}

ATTEMPT(signal_group, "send a signal to a process group of the host")
{
	return got(kill(-victim(), 0));
}

ATTEMPT(signal_thread, "send a signal to a thread of the host")
{
	return got(syscall(SYS_tgkill, victim(), victim(), 0));
}

ATTEMPT(signal_peer, "send a signal to the host by what its socket tells")
{
	int fd = given_socket();
	int pidfd = -1;
	socklen_t len = sizeof(pidfd);

	if (fd < 0 || getsockopt(fd, SOL_SOCKET, PEER_PIDFD, &pidfd, &len) < 0)
		return CANNOT_TRY;
	return got(syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0));
}

ATTEMPT(semaphores, "use semaphores of the host")
{
	return got(semget((key_t)world_number("SHM_KEY"), 0, 0));
}

ATTEMPT(message_queues, "use System V message queues of the host")
{
	return got(msgget((key_t)world_number("SHM_KEY"), 0));
}

ATTEMPT(run_foreign_program, "run a program in a folder of the host")
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execl(place("HOST", "program"), "program", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return status ? REFUSED : GOT_THROUGH;
}
