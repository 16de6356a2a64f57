/*
 * An agent's connection to its host. NANOCLAW_SOCKET names it: the path of a socket, or "fd:N", a
 * descriptor that is already connected (in sandboxes that allow no sockets).
 */
#ifndef AGENT_HOST_SOCKET_H
#define AGENT_HOST_SOCKET_H

#include "base/error.h"

/* A descriptor of the caller's own, or -1. */
int host_socket_connect(struct error *err);

#endif
