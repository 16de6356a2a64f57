/* What an agent does all day. These have to get through in a sandbox, too. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

ATTEMPT(allowed_own_folder, "write, rename and remove files in the own folder")
{
	const char *path = place("AGENT", "note");

	if (opens(path, O_WRONLY | O_CREAT) != GOT_THROUGH ||
		rename(path, place("AGENT", "note-2")) < 0)
		return REFUSED;
	return got(unlink(place("AGENT", "note-2")));
}

ATTEMPT(allowed_container_json, "read container.json")
{
	return opens(place("AGENT", "container.json"), O_RDONLY);
}

ATTEMPT(allowed_shared, "read the shared CLAUDE.md")
{
	return opens(place("APP", "CLAUDE.md"), O_RDONLY);
}

ATTEMPT(allowed_project, "read the project, as the main group")
{
	return opens(place("PROJECT", "README.md"), O_RDONLY);
}

ATTEMPT(allowed_memory, "map and protect memory")
{
	void *memory =
		mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? REFUSED
				    : got(mprotect(memory, 65536, PROT_READ | PROT_EXEC));
}

static void *nothing(void *data)
{
	return data;
}

ATTEMPT(allowed_threads, "start threads")
{
	pthread_t threads[20];

	for (int i = 0; i < 20; i++)
		if (pthread_create(&threads[i], NULL, nothing, NULL))
			return REFUSED;
	for (int i = 0; i < 20; i++)
		pthread_join(threads[i], NULL);
	return GOT_THROUGH;
}

ATTEMPT(allowed_programs, "start programs in a pipe")
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/sh", "sh", "-c",
			"test \"$(printf '%s\\n' b a | sort | head -n 1)\" = a && ls /usr >/dev/null",
			(char *)NULL);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return status ? REFUSED : GOT_THROUGH;
}

/* As a relay inside does it. */
ATTEMPT(allowed_own_loopback, "listen on the own loopback, and connect to it")
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t len = sizeof(address);
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(server, (struct sockaddr *)&address, len) < 0 || listen(server, 1) < 0 ||
		getsockname(server, (struct sockaddr *)&address, &len) < 0)
		return REFUSED;
	return got(connect(client, (struct sockaddr *)&address, len));
}

ATTEMPT(allowed_tmp, "write to /tmp")
{
	char path[] = "/tmp/nanoclaw-XXXXXX";
	int fd = mkstemp(path);

	unlink(path);
	return got(fd);
}

ATTEMPT(allowed_home, "write to the folder of the session")
{
	const char *path = place("SESSION", "state");
	enum outcome result = opens(path, O_WRONLY | O_CREAT);

	unlink(path);
	return result;
}

ATTEMPT(allowed_given_socket, "talk to the host by the socket that it is given")
{
	int fd = given_socket();
	char byte = 'x';

	if (fd < 0)
		return CANNOT_TRY;
	return write(fd, &byte, 1) == 1 && read(fd, &byte, 1) == 1 && byte == 'y' ? GOT_THROUGH
										  : REFUSED;
}

ATTEMPT(allowed_program_in_memory, "run a program from memory")
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		int program = open("/bin/true", O_RDONLY | O_CLOEXEC);
		int fd = memfd_create("program", MFD_CLOEXEC);
		char name[] = "true";
		char *const argv[] = {name, NULL};

		while (sendfile(fd, program, NULL, 1 << 20) > 0)
			;
		syscall(SYS_execveat, fd, "", argv, argv + 1, AT_EMPTY_PATH);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	return status ? REFUSED : GOT_THROUGH;
}

ATTEMPT(allowed_socket_pair, "make a pair of sockets")
{
	int pair[2];

	return got(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair));
}

ATTEMPT(allowed_signal_self, "send a signal to itself")
{
	signal(SIGUSR1, SIG_IGN);
	return got(raise(SIGUSR1));
}
