/*
 * A WebSocket client (RFC 6455), without extensions.
 *
 *	websocket_open(network, &options, &handlers, data, &socket, err);
 *	… handlers.opened(data), then handlers.message(data, …), from the loop
 *	websocket_send(socket, WEBSOCKET_TEXT, text);
 *	websocket_close(socket, 1000);	begins the closing handshake
 *	… handlers.closed(data, code, why) last; then the socket is gone
 *	websocket_drop(socket);		instead: no handler is called after this
 *
 * Handlers may call all of these. Pings of the server are answered. We ping it, too: a server that
 * sends nothing at all from one ping to the next is given up, so a dead connection is noticed. If
 * the server breaks the protocol, it is sent the code for that, and closed() gets the same code.
 */
#ifndef NET_STREAM_WEBSOCKET_H
#define NET_STREAM_WEBSOCKET_H

#include "base/view.h"
#include "net/network.h"

/* What closed() gets if the connection ended without a code of the server or of ours. */
#define WEBSOCKET_LOST 1006

struct websocket;

enum websocket_kind {
	WEBSOCKET_TEXT, /* always UTF-8; sent text must be, too */
	WEBSOCKET_BINARY,
};

struct websocket_options {
	const char *url;            /* wss://…; ws:// is without TLS */
	const char *const *headers; /* "name: value", ends in NULL; may be NULL itself */
	const char *protocol;       /* the subprotocol, or NULL */
	size_t max_message;         /* longer ones end the connection with 1009; 0: 8 MiB */
	uint64_t connect_ms;        /* and again for the handshake; 0: 30 seconds */
	uint64_t ping_ms;           /* between pings; 0: 30 seconds */
};

struct websocket_handlers {
	void (*opened)(void *data);
	void (*message)(void *data, enum websocket_kind kind, struct view message);
	/* `why` is the server's reason, or ours; never NULL. */
	void (*closed)(void *data, int code, const char *why);
};

int websocket_open(struct network *network, const struct websocket_options *options,
	const struct websocket_handlers *handlers, void *data, struct websocket **ret_socket,
	struct error *err);

/* False: it is not open, or over 8 MiB wait for the server to read; nothing was sent. */
bool websocket_send(struct websocket *socket, enum websocket_kind kind, struct view message);

/* 1000, 1001 or 3000 to 4999. The server has ten seconds to answer; closed() follows. */
void websocket_close(struct websocket *socket, int code);
void websocket_drop(struct websocket *socket);

#endif
