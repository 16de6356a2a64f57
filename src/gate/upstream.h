/*
 * Requests to the API, made by libcurl on the event loop.
 *
 *	upstream_new(&options, &upstream);
 *	upstream_start(upstream, &request, &handlers, data, &transfer, err);
 *	… handlers are called from the loop, `done` last; then the transfer is gone …
 *	upstream_cancel(transfer);	instead: no handler is called after this
 *	upstream_close(upstream);	when no transfer is left
 *
 * libcurl is loaded at the first request. It checks certificates, uses connections again, goes
 * by the host's own proxy (HTTPS_PROXY and so on, in the environment of the process), and
 * follows no redirect: what the server answers is what is passed on. It speaks HTTP/1.1, where
 * a reader that is slow holds up his own connection only, and without buffers that grow.
 *
 * Nothing is stored on either way. A handler that cannot take or give bytes now says so, and
 * upstream_go_on() is called when it can. There is no limit on how long an answer takes, but
 * one on how long nothing comes at all.
 */
#ifndef GATE_UPSTREAM_H
#define GATE_UPSTREAM_H

#include <uv.h>

#include "base/error.h"
#include "net/http_head.h"

struct upstream;
struct transfer;

struct upstream_options {
	uv_loop_t *loop;
	const char *ca_file; /* certificates to trust, or NULL for the system's */
	uint64_t connect_ms; /* to reach the server; 0: 30 seconds */
	uint64_t silence_ms; /* during which nothing comes or goes; 0: 10 minutes */
};

struct upstream_request {
	const char *method;
	const char *url;
	const char *const *headers; /* "name: value", ends in NULL */
	bool has_body;
	int64_t length; /* of the body; -1: it comes in chunks */
};

/* How an answer begins. `headers` are good during the call only. */
struct upstream_answer {
	int status;
	const struct http_header *headers;
	size_t count;
};

enum upstream_reading {
	UPSTREAM_BYTES, /* `*ret_len` bytes; 0 is the end */
	UPSTREAM_LATER,
	UPSTREAM_BREAK_OFF,
};

struct upstream_handlers {
	/* Fill in what there is of the body, at most `room`. */
	enum upstream_reading (*give)(void *data, char *bytes, size_t room, size_t *ret_len);
	/* Once, before all bytes. False breaks it off. */
	bool (*answer)(void *data, const struct upstream_answer *answer);
	/* Is there room for more bytes? If not, upstream_go_on() is called later. */
	bool (*has_room)(void *data);
	/* All of them have to be taken. False breaks it off. */
	bool (*bytes)(void *data, struct view bytes);
	/* NULL: the answer was whole. Otherwise why it was not, in words that hold no secret. */
	void (*done)(void *data, const char *why);
};

void upstream_new(const struct upstream_options *options, struct upstream **ret_upstream);
void upstream_close(struct upstream *upstream);

int upstream_start(struct upstream *upstream, const struct upstream_request *request,
	const struct upstream_handlers *handlers, void *data, struct transfer **ret_transfer,
	struct error *err);

void upstream_go_on(struct transfer *transfer);
void upstream_cancel(struct transfer *transfer);

#endif
