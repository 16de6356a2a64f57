/*
 * What an agent reaches of the network: the hosts that its group may, and no others.
 *
 * A program in a sandbox asks its gate (gate.h) as it would ask any HTTP proxy:
 *
 *	CONNECT example.com:443 HTTP/1.1	a tunnel; mostly TLS is spoken through it
 *	GET http://example.com/ HTTP/1.1	one plain request
 *
 * and the gate gives the connection to egress_serve(). From there:
 *
 *	[asked] --> is it in the list? --> [looked up] --> is every address public?
 *	                |                                      |
 *	                +--------- no: 403, and why -----------+
 *
 *	--> [connected] to one of these very addresses --> bytes both ways --> [ended]
 *
 * A name is looked up once for each connection, and what was checked is what is connected to,
 * so it does not matter what the name leads to a moment later. If one of several addresses is
 * not public (address.h), or is one of this machine, nothing is connected. A redirect is an
 * answer like any other: if the program follows it, that is a new request with a check of its
 * own.
 *
 * Of a plain request the head is written anew: the host as it was checked, without what is
 * meant for the proxy, and "Connection: close". So one request goes over a connection, and
 * what follows it is thrown away. Nothing is added to it; credentials of ours never go this
 * way.
 *
 * Bytes are read when the other side has taken those before: memory is bounded, however much
 * comes. A connection ends when nothing moves for a while, and when more went over it than it
 * may.
 */
#ifndef EGRESS_EGRESS_H
#define EGRESS_EGRESS_H

#include <uv.h>

#include "egress/hosts.h"
#include "net/http_head.h"
#include "net/link.h"

#define EGRESS_CONNECTIONS 64 /* of an agent at a time */
#define EGRESS_LOOKUPS     2  /* likewise; others wait */

#define EGRESS_REACH_MS   ((uint64_t)30 * 1000) /* to look up and connect */
#define EGRESS_IDLE_MS    ((uint64_t)5 * 60 * 1000)
#define EGRESS_BYTES_MOST ((uint64_t)4096 * 1024 * 1024) /* both ways together */

enum egress_outcome {
	EGRESS_DONE, /* it is connected */
	EGRESS_REFUSED,
	EGRESS_FAILED, /* allowed, but it did not work */
};

/* For log and audit. `what` is "example.com:443", or the request if it names no host. */
typedef void egress_note(
	void *data, enum egress_outcome outcome, const char *what, const char *why);

struct egress_options {
	uv_loop_t *loop;
	const char *group;         /* its folder, for messages to the agent */
	const struct hosts *hosts; /* that it may reach; copied */
	uint64_t reach_ms;         /* 0: the default, as for the others */
	uint64_t idle_ms;
	uint64_t bytes_most;
	egress_note *note;
	void *data;
};

struct egress;

struct egress *egress_new(const struct egress_options *options);

/*
 * Take over a connection whose request is a CONNECT or has an absolute target. `head` is in
 * its input, and `len` bytes long; what follows is the body, or the first bytes of a tunnel.
 */
void egress_serve(
	struct egress *egress, struct link *link, const struct http_head *head, size_t len);

/* Connections end at once; nothing more is recorded. */
void egress_close(struct egress *egress);

#endif
