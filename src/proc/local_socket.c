#include "proc/local_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/sys.h"

#define CONNECT_SECONDS 5

static int local_address(int folder, const char *name, struct sockaddr_un *ret_address)
{
	int len;

	*ret_address = (struct sockaddr_un){.sun_family = AF_UNIX};
	len = snprintf(ret_address->sun_path, sizeof(ret_address->sun_path),
		"/proc/self/fd/%d/%s", folder, name);
	if (len < (int)sizeof(ret_address->sun_path))
		return 0;
	errno = ENAMETOOLONG;
	return -1;
}

int local_socket_bind(int folder, const char *name, int *ret_fd)
{
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un address;
	mode_t mask;
	int failed;

	if (fd < 0 || local_address(folder, name, &address) < 0)
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

int local_socket_connect(int folder, const char *name, int *ret_fd)
{
	CLEANUP(closep) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct timeval patience = {.tv_sec = CONNECT_SECONDS}, forever = {0};
	struct sockaddr_un address;

	/* The queue of a listener that hangs may be full. */
	if (fd < 0 || local_address(folder, name, &address) < 0 ||
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) < 0 ||
		connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &forever, sizeof(forever)) < 0)
		return -1;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* The line of /proc/net/tcp whose socket goes from `from` to `to` has the owner, and an inode. */
static bool tcp_end_is_ours(const struct sockaddr_in *from, const struct sockaddr_in *to)
{
	FILE *file = fopen("/proc/net/tcp", "re");
	char line[512];
	bool ours = false;

	while (file && !ours && fgets(line, sizeof(line), file)) {
		unsigned from_host, from_port, to_host, to_port, uid;
		unsigned long inode;

		/* A line has numbers that the kernel wrote, so none is out of range. */
		if (sscanf(line, " %*u: %8x:%4x %8x:%4x %*x %*x:%*x %*x:%*x %*x %u %*u %lu",
			    &from_host, &from_port, &to_host, &to_port, &uid, &inode) == 6 &&
			from_host == from->sin_addr.s_addr &&
			from_port == ntohs(from->sin_port) && to_host == to->sin_addr.s_addr &&
			to_port == ntohs(to->sin_port))
			ours = inode && uid == geteuid();
	}
	if (file)
		fclose(file);
	return ours;
}

bool local_socket_is_ours(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	struct sockaddr_in here = {0}, there = {0};
	socklen_t here_len = sizeof(here), there_len = sizeof(there);

	if (getsockname(fd, (struct sockaddr *)&here, &here_len) < 0)
		return false;
	if (here.sin_family == AF_INET)
		return !getpeername(fd, (struct sockaddr *)&there, &there_len) &&
		       tcp_end_is_ours(&there, &here);
	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) && peer.uid == geteuid();
}
