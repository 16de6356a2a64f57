#include "agent/host_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int host_socket_connect(struct error *err)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *name = getenv("NANOCLAW_SOCKET");
	CLEANUP(closep) int fd = -1;

	if (!name || strlen(name) >= sizeof(address.sun_path))
		return error_set(err, ERROR_FAILED, "there is no host to ask");
	if (!strncmp(name, "fd:", 3)) {
		fd = fcntl((int)strtol(name + 3, NULL, 10), F_DUPFD_CLOEXEC, 3);
		if (fd < 0)
			return error_errno(err, "the connection to the host is closed");
		return TAKE_FD(fd);
	}
	memcpy(address.sun_path, name, strlen(name) + 1);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		return error_errno(err, "cannot reach the host");
	return TAKE_FD(fd);
}
