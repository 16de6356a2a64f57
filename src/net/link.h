/*
 * A connection of an agent to its gate (gate.h), for whoever serves it at the moment.
 *
 * That one is its owner: the gate between requests, forward.c while a request to the API is
 * under way, a tunnel until it ends. The owner is told through a table of functions, and uses
 *
 *	link_input(link)		what has come and was not consumed
 *	link_consume(link, n)		that much of it is dealt with; more is read then
 *	link_send(link, pieces, n)	at once if it can be, else it is queued
 *	link_queued(link)		how much is: who sends a lot waits for drained()
 *	link_end(link)			the agent is told that no more comes; it may still send
 *	link_close(link)		when all is written that is queued, and the agent has
 *					read it: what he still sends is thrown away
 *	link_break(link)		at once: what was sent is not whole
 *
 * No more is read than LINK_INPUT_MAX, until some of that is consumed: who does not take
 * bytes holds up the agent, and memory stays bounded.
 *
 * The life of a link: it is freed by the loop after link_close() or link_break(), or after the
 * agent has hung up. The owner is told gone() in all of these cases, once, from within these
 * functions if it was he who called them; he must not use the link from then on.
 */
#ifndef NET_LINK_H
#define NET_LINK_H

#include <uv.h>

#include "base/buf.h"
#include "base/view.h"

#define LINK_INPUT_MAX  ((size_t)64 * 1024)
#define LINK_QUEUED_MAX ((size_t)256 * 1024) /* for those who send a lot */

struct gate;
struct link;

struct link_owner {
	/* There is more in link_input(), or its end has come: link_has_ended(). */
	void (*more)(struct link *link, void *data);
	/* Nothing is queued any more. */
	void (*drained)(struct link *link, void *data);
	void (*gone)(struct link *link, void *data);
};

/* All links of a gate. */
struct links {
	struct gate *gate;
	struct link *first;
	size_t count;
};

/* Accepts the connection that waits at `listener`. NULL if there is none that may be taken. */
struct link *link_accept(
	struct links *links, uv_stream_t *listener, const struct link_owner *owner, void *data);

/* link_break() for each. */
void links_break(struct links *links);

/* From now on another one is told. */
void link_give_to(struct link *link, const struct link_owner *owner, void *data);

struct gate *link_gate(const struct link *link);

struct view link_input(const struct link *link);
void link_consume(struct link *link, size_t len);
bool link_has_ended(const struct link *link);

void link_send(struct link *link, const struct view *pieces, size_t count);
size_t link_queued(const struct link *link);

void link_end(struct link *link);
void link_close(struct link *link);
void link_break(struct link *link);

#endif
