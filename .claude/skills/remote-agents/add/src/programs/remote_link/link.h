/*
 * Many streams in one: what both halves of a remote agent, nanoclaw-remote and nanoclaw-node, have
 * in common.
 *
 *	link_init(&link, in, out, &handlers, data)
 *	link_add(&link, LINK_STDOUT, -1, 1)	a stream, with the descriptors that it is read
 *						from here and written to here; -1: none
 *	link_message(&link, json)		for the other half's handlers->message()
 *	while (…) {
 *		link_settle(&link, err)		pass on what may be, before work of one's own
 *		link_wait(&link, others, count, timeout_ms, err)
 *	}
 *
 *	source --read--> [ahead] --may_pass()--> [frames] ====> [held] --write--> sink
 *	                                                           |
 *	          <==== FRAME_TAKEN ====================== written +
 *
 * Of each stream at most LINK_WINDOW bytes are under way: the sender counts what was not taken
 * yet. So memory is bounded, and a slow reader holds up its own stream and no other.
 *
 * An error is the end: the other half is malformed, or our end of it broke.
 */
#ifndef PROGRAMS_REMOTE_LINK_LINK_H
#define PROGRAMS_REMOTE_LINK_LINK_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"
#include "programs/remote_link/frame.h"

#define LINK_VERSION     1
#define LINK_WINDOW      ((size_t)256 * 1024)
#define LINK_CHUNK       ((size_t)16 * 1024)
#define LINK_MAX_MESSAGE ((size_t)4 * 1024 * 1024)
#define LINK_MAX_OUT     ((size_t)8 * 1024 * 1024)
#define LINK_MAX_OTHERS  512

enum link_stream {
	LINK_STDIN = 1,
	LINK_STDOUT,
	LINK_STDERR,
	LINK_FILES,
	LINK_SOCKETS = 16, /* the first one of connections */
};

/* When files are compared before bytes are passed on (files.h). */
enum gate {
	GATE_NONE,
	GATE_ALWAYS,
	GATE_ANSWERS, /* before the first bytes after some of the other direction */
	GATE_RESULTS, /* before the end of a line with a "result" */
};

struct stream {
	unsigned id; /* 0: none */
	int in, out;
	struct buf ahead;
	struct buf held;
	size_t unacked; /* sent, and not yet taken */
	size_t taken;   /* written, and the other half was not told yet */
	bool in_ended, end_sent, end_received;
	bool waits; /* what it holds is not to be used now */
	enum gate gate;
	bool passed;        /* for GATE_ANSWERS */
	bool result;        /* for GATE_RESULTS: the line has one … */
	size_t matched;     /* … or so many bytes of it */
	uint64_t waits_for; /* files that must be stored first */
};

struct link_handlers {
	/* Takes over the message. */
	int (*message)(json_t *message, void *data, struct error *err);
	/* A new connection from the other half, or NULL. */
	int (*open)(unsigned id, unsigned socket, void *data, struct error *err);
	/* Bytes of LINK_FILES. */
	int (*files)(struct view bytes, void *data, struct error *err);
	/* How many of these bytes may be passed on now. */
	size_t (*may_pass)(struct stream *stream, struct view bytes, void *data);
};

struct link {
	int in, out;
	const struct link_handlers *handlers;
	void *data;
	struct buf unread, unsent, message;
	size_t sent;      /* of `unsent` */
	bool ended;       /* the other half is gone */
	int64_t heard_ms; /* when it was last heard */
	struct stream *streams[FRAME_STREAMS];
	size_t count;
};

/* Makes both descriptors non-blocking. */
void link_init(
	struct link *link, int in, int out, const struct link_handlers *handlers, void *data);

/* A descriptor that is written to belongs to the link; so does one that is read. */
struct stream *link_add(struct link *link, unsigned id, int in, int out);

/* A number for a new connection, or 0. */
unsigned link_unused(const struct link *link);

/* Takes over the message. */
void link_message(struct link *link, json_t *message);

/* How many bytes may be sent now, and sending them. */
size_t link_room(const struct link *link, const struct stream *stream);
void link_send(struct link *link, struct stream *stream, struct view bytes);

/* Without waiting. */
int link_settle(struct link *link, struct error *err);

/* Waits for something to do, and does it. The `revents` of the others are set. */
int link_wait(struct link *link, struct pollfd *others, size_t count, int timeout_ms,
	struct error *err);

/* Has all that was received for this stream been written? */
bool link_is_drained(const struct stream *stream);

/* A member that is a number from 0 to 2^53; else -1. */
int64_t link_number(const json_t *message, const char *name);

/* By a clock that runs while the machine sleeps. */
int64_t link_now_ms(void);

#endif
