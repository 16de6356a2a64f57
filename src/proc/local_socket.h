/*
 * Sockets for this user only: a Unix socket in an open folder, or TCP on 127.0.0.1.
 *
 *	local_socket_bind(folder, "host.sock", &fd)	then listen on it
 *	local_socket_connect(folder, "host.sock", &fd)	as a client
 *	local_socket_is_ours(fd)			of a client: is it the same user?
 *
 * The path of a Unix socket may be longer than its address can be.
 */
#ifndef PROC_LOCAL_SOCKET_H
#define PROC_LOCAL_SOCKET_H

#include <stdbool.h>

/* With mode 0600. A file of this name is replaced. -1 with errno on failure. */
int local_socket_bind(int folder, const char *name, int *ret_fd);

/* Waits at most five seconds for a listener whose queue is full. -1 with errno on failure. */
int local_socket_connect(int folder, const char *name, int *ret_fd);

/*
 * Does the process at the other end belong to our user? The kernel reports it for a Unix socket;
 * for TCP, /proc/net/tcp lists the owner of the other end. A closed end has no owner, and is
 * refused.
 */
bool local_socket_is_ours(int fd);

#endif
