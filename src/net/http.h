/*
 * HTTP requests whose bodies are passed on in pieces. http_call.h is for bodies that fit into
 * memory.
 *
 *	http_start(network, &request, &handlers, data, &transfer, err);
 *	… handlers are called from the loop, `done` last; then the transfer is gone …
 *	http_cancel(transfer);		instead: no handler is called after this
 *
 * Nothing is buffered in either direction. A handler that cannot accept or provide bytes now
 * says so; call http_go_on() when it can. Handlers other than `done` must not start a request.
 *
 * It speaks HTTP/1.1, where a slow reader holds up only its own connection. A request other than
 * GET and HEAD is never sent twice: if a connection that was kept turns out to be dead, the
 * request fails, because the server may have acted on it.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "net/http_answer.h"
#include "net/network.h"

struct http_transfer;

struct http_request {
	const char *method;
	const char *url;
	const char *const *headers; /* "name: value", ends in NULL; may be NULL itself */
	const char *content_type;   /* or NULL: none, or among the headers */
	bool has_body;
	int64_t length; /* of the body; -1: it is sent in chunks */
	/* Of a GET: up to 5 redirects. Headers other than Authorization go to the new host, too. */
	bool follow_redirects;
	uint64_t connect_ms; /* to reach the server; 0: 10 seconds */
	uint64_t idle_ms;    /* without any traffic; 0: 60 seconds */
	uint64_t total_ms;   /* from beginning to end; 0: no limit */
};

enum http_giving {
	HTTP_GIVE_BYTES, /* `*ret_len` bytes; 0 is the end */
	HTTP_GIVE_LATER,
	HTTP_GIVE_UP,
};

struct http_handlers {
	/* Provide the next bytes of the body, at most `room`. Not called without a body. */
	enum http_giving (*give)(void *data, char *bytes, size_t room, size_t *ret_len);
	/* Once, before all bytes. Good during the call only. False: it is not proper HTTP. */
	bool (*answer)(void *data, const struct http_answer *answer);
	/* Is there room for more bytes? If not, call http_go_on() later. May be NULL. */
	bool (*has_room)(void *data);
	/* Must take all bytes. False ends the transfer. */
	bool (*bytes)(void *data, struct view bytes);
	/* NULL: the response was complete. Otherwise why it was not. */
	void (*done)(void *data, const char *why);
};

int http_start(struct network *network, const struct http_request *request,
	const struct http_handlers *handlers, void *data, struct http_transfer **ret_transfer,
	struct error *err);

void http_go_on(struct http_transfer *transfer);
void http_cancel(struct http_transfer *transfer);

#endif
