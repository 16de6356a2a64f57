/*
 * The network access of agents: the hosts that their group may reach, and no others.
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
 * A name is looked up once for each connection, and the connection goes to the addresses that
 * were checked, so it does not matter if the name changes a moment later. If one of several
 * addresses is not public (address.h), or is one of this machine, nothing is connected. A
 * redirect is an answer like any other: if the program follows it, that is a new request with a
 * check of its own.
 *
 * The head of a plain request is rewritten: with the host that was checked, without the fields
 * for a proxy, and with "Connection: close". So a connection carries one request, and data after
 * it is dropped. Nothing else is added; our own credentials are never sent this way.
 *
 * More is read only when the other side has accepted the previous bytes, so memory is bounded. A
 * connection ends when it is idle for too long, or has carried too many bytes.
 */
#ifndef EGRESS_EGRESS_H
#define EGRESS_EGRESS_H

#include <uv.h>

#include "egress/hosts.h"
#include "net/link.h"
#include "net/parse/http_head.h"

#define EGRESS_CONNECTIONS 64 /* at a time, per agent */

#define EGRESS_LOOKUPS       16 /* of names, at a time, of all groups; others wait */
#define EGRESS_GROUP_LOOKUPS 2  /* of one group */

#define EGRESS_REACH_MS   ((uint64_t)30 * 1000) /* to look up and connect */
#define EGRESS_IDLE_MS    ((uint64_t)5 * 60 * 1000)
#define EGRESS_BYTES_MOST ((uint64_t)4096 * 1024 * 1024) /* both ways together */

enum egress_outcome {
	EGRESS_DONE, /* it is connected */
	EGRESS_REFUSED,
	EGRESS_FAILED, /* allowed, but the connection failed */
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

/* Before the process has a second thread: there are threads enough for all look-ups. */
void egress_prepare(void);

struct egress *egress_new(const struct egress_options *options);

/*
 * Take over a connection whose request is a CONNECT or has an absolute target. `head` is in
 * its input, and `len` bytes long; what follows is the body, or the first bytes of a tunnel.
 */
void egress_serve(
	struct egress *egress, struct link *link, const struct http_head *head, size_t len);

/* Closes all connections without recording anything more. */
void egress_close(struct egress *egress);

#endif
