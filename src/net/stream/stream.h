/*
 * A stream of bytes to a server, over TLS or plain TCP, for protocols that libcurl does not speak
 * on an event loop: IRC, XMPP, WebSocket (websocket.h).
 *
 *	net_stream_open(network, &options, &handlers, data, &stream, err);
 *	… handlers.connected(data), then handlers.bytes(data, bytes), from the loop
 *	net_stream_write(stream, bytes);
 *	… handlers.closed(data, why) last; then the stream is gone
 *	net_stream_close(stream);	instead: no handler is called after this
 *
 * Handlers may write and close. Certificates are checked, and proxies used, as in network.h.
 */
#ifndef NET_STREAM_STREAM_H
#define NET_STREAM_STREAM_H

#include "base/view.h"
#include "net/network.h"

/* The stream is closed if data is queued and the server accepts none of it for this long. */
#define NET_STREAM_WRITE_MS 60000

struct net_stream;

struct net_stream_options {
	const char *host; /* a name or an address; IPv6 without brackets */
	unsigned port;
	bool plain; /* without TLS */
	/*
	 * The name to say in SMTP's EHLO; NULL: it is not SMTP. Then the stream begins behind its
	 * greeting, EHLO and STARTTLS, and fails if the server does not offer that.
	 */
	const char *starttls;
	uint64_t connect_ms; /* TLS included; 0: 10 seconds */
	uint64_t idle_ms;    /* during which nothing comes or goes; 0: no limit */
	size_t max_queue;    /* bytes that wait to be sent; 0: 1 MiB */
};

struct net_stream_handlers {
	void (*connected)(void *data);
	void (*bytes)(void *data, struct view bytes);
	/* NULL: the server ended the stream. Otherwise why it failed. */
	void (*closed)(void *data, const char *why);
};

int net_stream_open(struct network *network, const struct net_stream_options *options,
	const struct net_stream_handlers *handlers, void *data, struct net_stream **ret_stream,
	struct error *err);

/* False: the queue is full, and nothing was added. Only after connected(). */
bool net_stream_write(struct net_stream *stream, struct view bytes);

void net_stream_close(struct net_stream *stream);

/* The same, but sends queued data first. */
void net_stream_finish(struct net_stream *stream);

#endif
