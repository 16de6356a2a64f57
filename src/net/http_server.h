/*
 * A small HTTP/1.1 server on the event loop, on a Unix socket or on 127.0.0.1. Requests are read
 * strictly (http_head.h).
 *
 *	http_server_open(&options, &server, err)
 *	…
 *	options.request(exchange, data)		a whole request, with its body, has arrived
 *	http_exchange_head(exchange)		its method, target, headers
 *	http_exchange_body(exchange)
 *	http_exchange_answer(exchange, …)	now, or later: after a commit, for example
 *	…
 *	http_server_close(server)
 *
 * An exchange is a request and its answer. It is answered exactly once, and exists until then,
 * even if the client goes away: then the answer is dropped. So code that answers later need not
 * listen for that. After the answer, the exchange is gone.
 *
 * An answer of unknown length is sent in pieces:
 *
 *	http_exchange_begin(exchange, status, headers, ended, data)
 *	http_exchange_send(exchange, piece)	any number of times
 *	http_exchange_end(exchange)
 *
 * ended() is called if the client disconnects or does not read; the exchange is gone then. If
 * the client has already disconnected, http_exchange_begin() calls it.
 *
 * A connection has one exchange at a time. Requests that are sent ahead wait.
 *
 * Limits: connections, the size of a body, and the time for a request to arrive, for a
 * connection to be idle, and for a client to read some of an answer. There is no limit on the
 * time until an answer begins.
 */
#ifndef NET_HTTP_SERVER_H
#define NET_HTTP_SERVER_H

#include <uv.h>

#include "base/error.h"
#include "base/view.h"
#include "net/parse/http_head.h"

/* A client that is this many bytes behind in an answer in pieces is disconnected. */
#define HTTP_SERVER_QUEUE_MAX ((size_t)1024 * 1024)

struct http_server;
struct http_exchange;

struct http_server_options {
	uv_loop_t *loop;
	const char *name; /* of a Unix socket in `folder`, mode 0600; NULL: TCP on 127.0.0.1 */
	int folder;
	uint16_t port;            /* of TCP; 0: any that is free, see http_server_port() */
	bool any_user;            /* else clients of other users are refused: local_socket.h */
	size_t max_body;          /* of a request */
	size_t max_connections;   /* 0: 64 */
	uint64_t request_timeout; /* ms for a request to arrive, or to read some; 0: 30 s */
	uint64_t idle_timeout;    /* ms between requests; 0: 2 minutes */
	void (*request)(struct http_exchange *exchange, void *data);
	void *data;
};

int http_server_open(const struct http_server_options *options, struct http_server **ret_server,
	struct error *err);

/*
 * Close all connections and free the server. Exchanges live until they are answered, but the
 * answers are dropped; ended() is called for those in pieces.
 */
void http_server_close(struct http_server *server);

uint16_t http_server_port(const struct http_server *server);

const struct http_head *http_exchange_head(const struct http_exchange *exchange);
struct view http_exchange_body(const struct http_exchange *exchange);

/* The first header of this name; `data` is NULL without one. */
struct view http_exchange_header(const struct http_exchange *exchange, const char *name);

/*
 * `headers` are whole lines that end in CR LF, without Content-Length and Connection; it may be
 * NULL. The body of an answer to HEAD is not sent; 204 and 304 have none.
 */
void http_exchange_answer(
	struct http_exchange *exchange, int status, const char *headers, struct view body);

/* A plain text and a line break. */
void http_exchange_refuse(struct http_exchange *exchange, int status, const char *why);

void http_exchange_begin(struct http_exchange *exchange, int status, const char *headers,
	void (*ended)(struct http_exchange *exchange, void *data), void *data);
void http_exchange_send(struct http_exchange *exchange, struct view piece);
void http_exchange_end(struct http_exchange *exchange);

#endif
