/*
 * Connections to servers, made by libcurl on the event loop.
 *
 *	network_new(&options, &network);
 *	… http_start(), http_call(), net_stream_open(), websocket_open() with this network …
 *	network_close(network);		everything still under way fails
 *
 * libcurl is loaded at the first use. It checks certificates, looks names up in threads, keeps
 * connections for the next request, and uses the proxy that the environment of the process names
 * (HTTPS_PROXY and so on). Nothing here blocks the loop.
 *
 * Reasons for failures, `why` in the callbacks, name hosts but hold no headers and no secrets.
 */
#ifndef NET_NETWORK_H
#define NET_NETWORK_H

#include <uv.h>

#include "base/error.h"

struct network;

struct network_options {
	uv_loop_t *loop;
	const char *ca_file; /* certificates to trust, or NULL for the system's */
};

void network_new(const struct network_options *options, struct network **ret_network);
void network_close(struct network *network);

uv_loop_t *network_loop(const struct network *network);

#endif
