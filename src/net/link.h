/*
 * A connection that was accepted on a Unix socket or on TCP: of an agent to its gate
 * (gate/gate.h), or of a client to a web server (http_server.h).
 *
 * A link has one owner at a time; at a gate for example the gate itself between requests,
 * forward.c during a request to the API, a tunnel until it ends. The link calls its owner through
 * `struct link_owner`. The owner uses:
 *
 *	link_input(link)		bytes that have arrived and are not consumed yet
 *	link_consume(link, n)		drop `n` of them, which makes room to read more
 *	link_send(link, pieces, n)	send at once if possible, else queue
 *	link_queued(link)		bytes in the queue; after sending a lot, wait for drained()
 *	link_end(link)			send the end of the stream; the peer may still send
 *	link_close(link)		close after the peer has read everything that is queued;
 *					bytes that it sends in the meantime are discarded
 *	link_break(link)		close at once, even in the middle of a message
 *
 * At most LINK_INPUT_MAX bytes are read ahead. If the owner does not consume them, the peer has
 * to wait, and memory stays bounded. A link without unconsumed input holds no room for it.
 *
 * The loop frees a link after link_close() or link_break(), or after the peer has hung up. In
 * each case the owner's gone() is called once, possibly from within link_close() or
 * link_break(). The owner must not use the link after that.
 */
#ifndef NET_LINK_H
#define NET_LINK_H

#include <uv.h>

#include "base/buf.h"
#include "base/view.h"

#define LINK_INPUT_MAX  ((size_t)64 * 1024)
#define LINK_QUEUED_MAX ((size_t)256 * 1024) /* after this much, wait for drained() */

struct link;

struct link_owner {
	/* link_input() has more, or the stream has ended: link_has_ended(). */
	void (*more)(struct link *link, void *data);
	/* The queue is empty again. */
	void (*drained)(struct link *link, void *data);
	void (*gone)(struct link *link, void *data);
};

/* All links of a listener. */
struct links {
	void *home;    /* the listener's owner: link_home() */
	bool any_user; /* else links of other users' processes are refused */
	struct link *first;
	size_t count;
};

/*
 * Accepts a connection that is waiting at `listener`, a pipe or TCP. NULL if that fails, or if
 * its user is refused.
 */
struct link *link_accept(
	struct links *links, uv_stream_t *listener, const struct link_owner *owner, void *data);

/* link_break() for each. */
void links_break(struct links *links);

/* The link has a new owner from now on. */
void link_give_to(struct link *link, const struct link_owner *owner, void *data);

void *link_home(const struct link *link);

struct view link_input(const struct link *link);
void link_consume(struct link *link, size_t len);
bool link_has_ended(const struct link *link);

void link_send(struct link *link, const struct view *pieces, size_t count);
size_t link_queued(const struct link *link);

void link_end(struct link *link);
void link_close(struct link *link);
void link_break(struct link *link);

#endif
