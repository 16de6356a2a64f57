/*
 * The beginning of a WebSocket (RFC 6455, section 4): an HTTP request that asks for it, and the
 * check of the response.
 */
#ifndef NET_STREAM_WEBSOCKET_HANDSHAKE_H
#define NET_STREAM_WEBSOCKET_HANDSHAKE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

#define WEBSOCKET_KEY_SIZE sizeof("dGhlIHNhbXBsZSBub25jZQ==")

/* wss://host:port/target */
struct websocket_address {
	char *host; /* IPv6 without brackets */
	unsigned port;
	bool plain;   /* ws: without TLS */
	char *target; /* "/link/?ticket=1" */
};

/* ERROR_INVALID for other schemes, and if there is a name or password in it. */
int websocket_address_parse(
	const char *url, struct websocket_address *ret_address, struct error *err);
void websocket_address_release(struct websocket_address *address);

/* A random one. */
void websocket_key(char ret_key[static WEBSOCKET_KEY_SIZE]);

/* `headers` ends in NULL, or is NULL; so is `protocol` if none is wanted. */
void websocket_request(const struct websocket_address *address, const char *key,
	const char *const *headers, const char *protocol, struct buf *out);

/* Does the server, which answered `head`, speak WebSocket with us now? */
int websocket_check(struct view head, const char *key, const char *protocol, struct error *err);

#endif
