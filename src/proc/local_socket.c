#include "proc/local_socket.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/sys.h"

int local_socket_bind(int folder, const char *name, int *ret_fd)
{
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s",
		folder, name);
	mode_t mask;
	int failed;

	if (fd < 0 || len >= (int)sizeof(address.sun_path))
		return -1;
	if (sys.unlink(folder, name, 0) < 0 && errno != ENOENT)
		return -1;
	mask = umask(0177);
	failed = bind(fd, (struct sockaddr *)&address, sizeof(address));
	umask(mask);
	if (failed)
		return -1;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

bool local_socket_is_ours(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.uid == geteuid();
}
