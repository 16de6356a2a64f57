/* Processes of the host, and what they have: memory, descriptors, variables, signals. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

static pid_t victim(void)
{
	return (pid_t)world_number("VICTIM");
}

static enum outcome opens_of_victim(const char *name, int flags)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)victim(), name);
	return opens(path, flags);
}

ATTEMPT(see_processes, "see a process of the host")
{
	DIR *all = opendir("/proc");
	struct dirent *entry;

	while (all && (entry = readdir(all))) {
		char path[300];
		char line[4096] = "";
		int fd;

		snprintf(path, sizeof(path), "/proc/%s/cmdline", entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (read(fd, line, sizeof(line) - 1) > 0 &&
			memmem(line, sizeof(line), world("MARKER"), strlen(world("MARKER"))))
			return GOT_THROUGH;
		close(fd);
	}
	return REFUSED;
}

ATTEMPT(signal_host, "send a signal to a process of the host")
{
	return got(kill(victim(), 0));
}

ATTEMPT(queue_signal, "queue a signal for a process of the host")
{
	return got(sigqueue(victim(), 0, (union sigval){0}));
}

ATTEMPT(open_pidfd, "hold on to a process of the host")
{
	return got(syscall(SYS_pidfd_open, victim(), 0));
}

ATTEMPT(read_environment_of_host, "read the environment of a process of the host")
{
	return opens_of_victim("environ", O_RDONLY);
}

ATTEMPT(write_memory_of_host, "open the memory of a process of the host")
{
	return opens_of_victim("mem", O_RDWR);
}

ATTEMPT(root_of_host, "go through /proc to the root of a process of the host")
{
	char path[5000];

	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)victim(), place("HOST", "secret"));
	return opens(path, O_RDONLY);
}

ATTEMPT(root_of_first, "go through /proc to the root of the first process")
{
	char path[5000];

	snprintf(path, sizeof(path), "/proc/1/root%s", place("HOST", "secret"));
	return opens(path, O_RDONLY);
}

ATTEMPT(cwd_of_victim, "go through /proc to the folder of a process of the host")
{
	return opens_of_victim("cwd/secret", O_RDONLY);
}

ATTEMPT(maps_of_victim, "read the addresses of a process of the host")
{
	return opens_of_victim("maps", O_RDONLY);
}

ATTEMPT(descriptors_of_victim, "list the descriptors of a process of the host")
{
	return opens_of_victim("fd", O_RDONLY | O_DIRECTORY);
}

ATTEMPT(command_line_of_victim, "read the command line of a process of the host")
{
	return opens_of_victim("cmdline", O_RDONLY);
}

ATTEMPT(program_of_victim, "tell which program a process of the host is")
{
	char path[64];
	char program[256];

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)victim());
	return got(readlink(path, program, sizeof(program)));
}

ATTEMPT(trace_host, "trace a process of the host")
{
	long result = ptrace(PTRACE_ATTACH, victim(), NULL, NULL);

	if (result < 0)
		return REFUSED;
	waitpid(victim(), NULL, 0);
	ptrace(PTRACE_DETACH, victim(), NULL, NULL);
	return GOT_THROUGH;
}

static int child_end;

/* Until child_end is closed: where signals are refused it cannot be killed. */
static pid_t sleeping_child(void)
{
	int ends[2];
	pid_t pid;
	char byte;

	if (pipe(ends) < 0)
		return -1;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		_exit(read(ends[0], &byte, 1) < 0);
	}
	close(ends[0]);
	child_end = ends[1];
	return pid;
}

static void end_child(pid_t pid)
{
	close(child_end);
	waitpid(pid, NULL, 0);
}

ATTEMPT(trace_child, "trace a process of its own, to change its system calls")
{
	pid_t pid = sleeping_child();
	long result = ptrace(PTRACE_SEIZE, pid, NULL, NULL);

	end_child(pid);
	return got(result);
}

ATTEMPT(read_memory_across, "read the memory of another process")
{
	pid_t pid = sleeping_child();
	static char secret[16];
	char copy[16];
	struct iovec local = {copy, sizeof(copy)};
	struct iovec remote = {secret, sizeof(secret)};
	ssize_t result = process_vm_readv(pid, &local, 1, &remote, 1, 0);

	end_child(pid);
	return got(result);
}

ATTEMPT(take_descriptor, "take a descriptor of another process")
{
	pid_t pid = sleeping_child();
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	long result = syscall(SYS_pidfd_getfd, pidfd, 0, 0);

	end_child(pid);
	return got(result);
}

ATTEMPT(inherited_descriptor, "use a descriptor that the host had open")
{
	return got(fcntl((int)world_number("DESCRIPTOR"), F_GETFD));
}

ATTEMPT(inherited_descriptors, "use any descriptor but the first three and the given socket")
{
	const char *given = getenv("NANOCLAW_SOCKET");
	int own = given && !strncmp(given, "fd:", 3) ? given_socket() : -1;

	for (int fd = 3; fd < 1024; fd++)
		if (fd != own && fcntl(fd, F_GETFD) >= 0)
			return GOT_THROUGH;
	return REFUSED;
}

ATTEMPT(inherited_variable, "read a variable of the host")
{
	return getenv("HOST_SECRET") ? GOT_THROUGH : REFUSED;
}

ATTEMPT(shared_memory, "use shared memory of the host")
{
	return got(shmget((key_t)world_number("SHM_KEY"), 0, 0));
}

ATTEMPT(message_queue, "open a message queue of the host")
{
	return got(mq_open(world("QUEUE"), O_RDONLY | O_CLOEXEC));
}

ATTEMPT(outlive, "leave a process behind that outlives the sandbox")
{
	pid_t pid = fork();

	if (pid)
		return waitpid(pid, NULL, 0) == pid ? GOT_THROUGH : CANNOT_TRY;
	setsid();
	if (fork())
		_exit(0);
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	signal(SIGHUP, SIG_IGN);
	pause();
	_exit(0);
}
