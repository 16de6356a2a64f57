/*
 * From a channel to the ledger: is the chat registered, may the sender speak, does the
 * message want an answer? These are the events that channels call.
 */
#ifndef HOST_ROUTER_H
#define HOST_ROUTER_H

#include "host/base/installation.h"

struct delivery;
struct media;
struct operations_desk;
struct queue;

/* A chat that has another id when the batch is stored. */
struct router_move {
	struct router_move *next;
	char *jid;
	char *new_jid;
};

/* Channels have it as their `host`. */
struct router {
	struct installation *inst;
	struct delivery *delivery;
	struct media *media;
	struct queue *queue;
	struct operations_desk *operations;
	struct txn batch; /* of the messages that a channel brings at once */
	bool batch_failed;
	bool paired;               /* a message of the batch had the code */
	struct router_move *moves; /* in the batch, in their order */
	char *batch_error;         /* of the last one that failed, or NULL */
	unsigned rows_added;       /* since store_retain() */
};

extern const struct channel_events router_events;

#endif
