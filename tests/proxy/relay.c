#include "relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/alloc.h"

static unsigned free_port(void)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (bind(fd, (struct sockaddr *)&address, len) ||
		getsockname(fd, (struct sockaddr *)&address, &len))
		abort();
	close(fd);
	return ntohs(address.sin_port);
}

/* It goes on beside the program; when that is gone, it is ours. */
void relay_start(struct relay *relay, const char *program, const char *socket)
{
	char port[16];
	char byte;
	int ready[2];

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	relay->port = free_port();
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
	if (read(ready[0], &byte, 1) != 1)
		abort();
	close(ready[0]);
}

static void end_if_relay(int pid)
{
	CLEANUP(freep) char *path = xasprintf("/proc/%d/comm", pid);
	FILE *file = fopen(path, "re");
	char name[64] = "";

	if (file && fgets(name, sizeof(name), file) && !strcmp(name, "nanoclaw-relay\n")) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	if (file)
		fclose(file);
}

void relay_stop(struct relay *relay)
{
	CLEANUP(freep)
	char *path = xasprintf("/proc/%d/task/%d/children", (int)getpid(), (int)getpid());
	FILE *file;
	int pid;

	kill(relay->program, SIGKILL);
	waitpid(relay->program, NULL, 0);
	file = fopen(path, "re");
	while (file && fscanf(file, "%d", &pid) == 1)
		end_if_relay(pid);
	if (file)
		fclose(file);
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
