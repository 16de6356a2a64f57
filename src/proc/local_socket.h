/*
 * A Unix socket in an open folder, for this user alone.
 *
 *	local_socket_bind(folder, "host.sock", &fd)	then listen on it
 *	local_socket_is_ours(fd)			of a client: is it the same user?
 *
 * Its path may be longer than the address of a socket can be.
 */
#ifndef PROC_LOCAL_SOCKET_H
#define PROC_LOCAL_SOCKET_H

#include <stdbool.h>

/* With mode 0600. A file of this name is replaced. -1 with errno on failure. */
int local_socket_bind(int folder, const char *name, int *ret_fd);

/* Is the process at the other end one of our user's? */
bool local_socket_is_ours(int fd);

#endif
