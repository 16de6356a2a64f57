/*
 * A Unix socket in an open folder, for this user alone.
 *
 *	local_socket_bind(folder, "host.sock", &fd)	to be listened on
 *	local_socket_is_ours(fd)			of one who has connected: is it we?
 *
 * Its path may be longer than the address of a socket can be.
 */
#ifndef PROC_LOCAL_SOCKET_H
#define PROC_LOCAL_SOCKET_H

#include <stdbool.h>

/* With mode 0600. What is there under the name is replaced. -1 with errno on failure. */
int local_socket_bind(int folder, const char *name, int *ret_fd);

/* Is the process at the other end one of our user's? */
bool local_socket_is_ours(int fd);

#endif
