/*
 * For the files of egress.c alone.
 *
 *	egress.c		the check, the look-up, the connection
 *	egress_flow.c		bytes both ways
 *	egress_request.c	a plain request: its head written anew, its body
 *	egress_refusal.c	what a refused agent reads
 */
#ifndef EGRESS_INTERNAL_H
#define EGRESS_INTERNAL_H

#include "egress/egress.h"
#include "net/http_body.h"

#define EGRESS_CHUNK ((size_t)64 * 1024)

struct egress {
	struct egress_options options;
	struct hosts hosts;
	char *group;
	struct egress_connection *connections;
	size_t count;
	unsigned lookups; /* under way */
	bool closing;
};

enum egress_stage {
	EGRESS_IN_LINE, /* for its look-up */
	EGRESS_LOOKING_UP,
	EGRESS_CONNECTING,
	EGRESS_OPEN,
	EGRESS_CLOSING,
};

struct egress_connection {
	struct egress_connection *next;
	struct egress_connection *previous;
	struct egress *egress; /* NULL: it is gone */
	struct link *link;     /* NULL: it is gone */
	struct host_target target;
	char *what; /* the target as text */
	enum egress_stage stage;
	bool is_tunnel;

	uv_getaddrinfo_t lookup;
	struct addrinfo *addresses;
	struct sockaddr_storage given; /* instead, where no name was asked for */
	struct addrinfo *address;      /* being tried */
	struct addrinfo single;
	uv_tcp_t server;
	uv_connect_t connect;
	bool server_is_open;
	uv_timer_t timer;

	struct buf head;       /* of a plain request: not yet sent */
	struct http_body body; /* likewise */
	bool is_chunked;
	bool body_ended; /* and so is told to the server */
	struct buf up;   /* on its way to the server */
	uv_write_t write;
	bool is_writing;
	bool agent_ended; /* the server has been told */
	uv_shutdown_t end;
	char *down;       /* what was read from the server */
	bool is_answered; /* by the server, with something */
	bool server_ended;
	uint64_t moved;  /* bytes, both ways */
	uint64_t active; /* when the last ones moved */

	unsigned users; /* handles and requests that are not done */
};

/* One that was counted in `users` is done. The connection may be gone then. */
void egress_user_done(struct egress_connection *c);

void egress_tell(const struct egress_connection *c, enum egress_outcome outcome,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * The agent reads why, and that is the end of it; if it has read something of the server
 * already, it is broken off.
 */
void egress_turn_away(struct egress_connection *c, int status, enum egress_outcome outcome,
	const char *why, const char *hint);

/* The end of it: what is sent to the agent is whole, or it is not. */
void egress_end(struct egress_connection *c);
void egress_break(struct egress_connection *c);

/* --- egress_flow.c ----------------------------------------------------------- */

/* It is connected: let bytes flow, until the end. */
void egress_flow_begin(struct egress_connection *c);

/* The agent has said more, or that it will say no more; it has read what was sent. */
void egress_flow_more(struct egress_connection *c);
void egress_flow_drained(struct egress_connection *c);

/* --- egress_request.c -------------------------------------------------------- */

/* "http://example.com:80/path": both parts. False: it is none of http. */
bool egress_request_split(
	struct view target, struct view *ret_authority, struct view *ret_path);

/* What is sent to the server instead of the head that has come. */
void egress_request_write(const struct http_head *head, const struct host_target *target,
	struct view path, struct buf *out);

/* Body that has come, as it is sent on. -1: it is none, and `ret_fault` says why. */
int egress_request_body(struct egress_connection *c, struct http_fault *ret_fault);

/* --- egress_refusal.c -------------------------------------------------------- */

/* A whole answer: status, what is wrong, and what to do about it, or NULL. */
void egress_refusal(struct buf *out, int status, const char *why, const char *hint);

/* The command by which a person allows this target. To be freed. */
char *egress_refusal_hint(const struct egress *egress, const struct host_target *target);

#endif
