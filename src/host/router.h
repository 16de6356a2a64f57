/*
 * From a channel to the ledger: is the chat registered, is the sender allowed, does the message
 * want an answer? Channels call these functions as `router_events`; their `host` is the router.
 */
#ifndef HOST_ROUTER_H
#define HOST_ROUTER_H

#include "host/base/installation.h"

struct delivery;
struct media;
struct operations_desk;
struct queue;

/* A chat that gets a new id when the batch is stored. */
struct router_move {
	struct router_move *next;
	char *jid;
	char *new_jid;
};

struct router {
	struct installation *inst;
	struct delivery *delivery;
	struct media *media;
	struct queue *queue;
	struct operations_desk *operations;
	struct txn batch; /* the messages and receipts that a channel delivers at once */
	bool batch_failed;
	bool paired;                /* a message of the batch was the pairing code */
	struct router_move *moves;  /* in the batch, in order */
	char *batch_error;          /* why the last one failed, or NULL */
	unsigned rows_added;        /* since store_retain() */
	struct string_array warned; /* groups whose list of senders has a name of anybody's */
};

extern const struct channel_events router_events;

/* For struct channel_setup: what a channel of this name has stored with events.remember(). */
char *router_recall(void *data, const char *name);

#endif
