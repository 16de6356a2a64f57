/*
 * One connection of an agent to a host, and the functions that its stages share. Only for
 * src/egress; others use egress.h.
 *
 *	egress.c		check, name lookup, connection
 *	egress_flow.c		data in both directions
 *	egress_request.c	a plain request: its new head, its body
 *	egress_refusal.c	the answer to a refused agent
 */
#ifndef EGRESS_INTERNAL_H
#define EGRESS_INTERNAL_H

#include "egress/egress.h"
#include "net/parse/http_body.h"

#define EGRESS_CHUNK ((size_t)64 * 1024)

struct egress {
	struct egress_options options;
	struct hosts hosts;
	char *group;
	struct egress_connection *connections;
	size_t count;
	bool closing;
	struct egress *next; /* all of them */
};

enum egress_stage {
	EGRESS_IN_LINE, /* waits for its lookup */
	EGRESS_LOOKING_UP,
	EGRESS_CONNECTING,
	EGRESS_OPEN,
	EGRESS_CLOSING,
};

struct egress_connection {
	struct egress_connection *next;
	struct egress_connection *previous;
	struct egress *egress; /* NULL: it has ended */
	struct link *link;     /* NULL: it has ended */
	struct host_target target;
	char *what; /* the target as text */
	enum egress_stage stage;
	bool is_tunnel;

	uv_getaddrinfo_t lookup;
	char **lookup_slot; /* that it holds, while it looks up */
	struct addrinfo *addresses;
	struct sockaddr_storage given; /* instead, if the request has an address */
	struct addrinfo *address;      /* being tried */
	struct addrinfo single;
	uv_tcp_t server;
	uv_connect_t connect;
	bool server_is_open;
	uv_timer_t timer;

	struct buf head;       /* of a plain request: not yet sent */
	struct http_body body; /* likewise */
	bool is_chunked;
	bool body_ended; /* and the server has been sent the end */
	struct buf up;   /* on its way to the server */
	uv_write_t write;
	bool is_writing;
	bool agent_ended; /* and the server has been sent the end */
	uv_shutdown_t end;
	char *down;       /* bytes read from the server */
	bool is_answered; /* by the server, with something */
	bool server_ended;
	uint64_t moved;  /* bytes, both ways */
	uint64_t active; /* when the last bytes moved */

	unsigned users; /* handles and requests that are not finished */
};

/* One of `users` is done. This may free the connection. */
void egress_user_done(struct egress_connection *c);

void egress_tell(const struct egress_connection *c, enum egress_outcome outcome,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Answer the agent with the reason, and end the connection. If the agent has had a part of the
 * server's answer already, the connection is only broken off.
 */
void egress_turn_away(struct egress_connection *c, int status, enum egress_outcome outcome,
	const char *why, const char *hint);

/* End the connection after all data was sent; or at once, so that the agent sees an error. */
void egress_end(struct egress_connection *c);
void egress_break(struct egress_connection *c);

/* --- egress_flow.c ----------------------------------------------------------- */

/* It is connected: let bytes flow, until the end. */
void egress_flow_begin(struct egress_connection *c);

/* The agent has sent data, or the end of it; or it has read the data sent to it. */
void egress_flow_more(struct egress_connection *c);
void egress_flow_drained(struct egress_connection *c);

/* --- egress_request.c -------------------------------------------------------- */

/* Both parts of "http://example.com:80/path". False: not an http address. */
bool egress_request_split(
	struct view target, struct view *ret_authority, struct view *ret_path);

/* The head for the server, in place of the agent's. */
void egress_request_write(const struct http_head *head, const struct host_target *target,
	struct view path, struct buf *out);

/* Move the body that has arrived to `up`. -1: it is malformed, with the reason in `ret_fault`. */
int egress_request_body(struct egress_connection *c, struct http_fault *ret_fault);

/* --- egress_refusal.c -------------------------------------------------------- */

/* A complete answer: the status, the problem, and the remedy or NULL. */
void egress_refusal(struct buf *out, int status, const char *why, const char *hint);

/* The command by which a person allows this target. To be freed. */
char *egress_refusal_hint(const struct egress *egress, const struct host_target *target);

#endif
