#include "relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

static int bind_port(unsigned *ret_port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&address, len) ||
		getsockname(fd, (struct sockaddr *)&address, &len))
		abort();
	*ret_port = ntohs(address.sin_port);
	return fd;
}

unsigned relay_closed_port(void)
{
	static unsigned port;

	if (!port)
		bind_port(&port);
	return port;
}

static bool try_to_start(struct relay *relay, const char *program, const char *socket)
{
	char port[16];
	char byte;
	int ready[2];
	bool started;

	close(bind_port(&relay->port));
	snprintf(port, sizeof(port), "%u", relay->port);
	if (pipe(ready))
		abort();
	fflush(stdout);
	relay->program = fork();
	if (!relay->program) {
		dup2(ready[1], STDOUT_FILENO);
		execl(program, program, port, socket, "sh", "-c",
			"echo; exec tail -f /dev/null >/dev/null", (char *)NULL);
		_exit(126);
	}
	close(ready[1]);
	started = read(ready[0], &byte, 1) == 1;
	close(ready[0]);
	if (!started)
		waitpid(relay->program, NULL, 0);
	return started;
}

/* It goes on beside the program; when that is gone, it is ours. */
void relay_start(struct relay *relay, const char *program, const char *socket)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* The port was free a moment ago; somebody may have been quicker. */
	for (int i = 0; i < 10; i++)
		if (try_to_start(relay, program, socket))
			return;
	abort();
}

static bool is_relay(int pid)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/comm", pid);
	FILE *file = fopen(path, "re");
	char name[64] = "";
	bool found =
		file && fgets(name, sizeof(name), file) && !strcmp(name, "nanoclaw-relay\n");

	if (file)
		fclose(file);
	return found;
}

pid_t relay_pid(void)
{
	CLEANUP(freep)
	char *path = xasprintf("/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
	FILE *file = fopen(path, "re");
	int pid = -1;

	while (file && fscanf(file, "%d", &pid) == 1 && !is_relay(pid))
		pid = -1;
	if (file)
		fclose(file);
	return pid;
}

void relay_stop(struct relay *relay)
{
	pid_t pid;

	kill(relay->program, SIGKILL);
	waitpid(relay->program, NULL, 0);
	while ((pid = relay_pid()) > 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

int relay_connect(unsigned port)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		close(fd);
		return -1;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	return fd;
}
