/*
 * The connection of an agent to its host, as NANOCLAW_SOCKET names it: the path of a socket,
 * or "fd:N", a descriptor that is connected already (where the sandbox allows no sockets).
 */
#ifndef AGENT_HOST_SOCKET_H
#define AGENT_HOST_SOCKET_H

#include "base/error.h"

/* A descriptor of the caller's own, or -1. */
int host_socket_connect(struct error *err);

#endif
