/*
 * From the outbox to the channels.
 *
 *	delivery_wake(delivery, chat)	a text for this chat is in the outbox
 *	delivery_work(delivery)		before the loop sleeps: send what can be sent
 *	delivery_receipt(…)		a channel reports that a text was sent, or failed
 *
 * Each chat has at most one text in flight (L7). The progress of a turn is sent when no other text of
 * the chat waits; the answer then replaces its message, or is a text of its own if that fails.
 *
 * A parcel is the state of a chat in memory: it exists while the chat is marked, has a text in flight,
 * or waits for its next attempt.
 */
#ifndef HOST_CHAT_DELIVERY_H
#define HOST_CHAT_DELIVERY_H

#include "channels/channel.h"
#include "host/base/installation.h"

struct delivery;

int delivery_new(struct installation *inst, struct delivery **ret_delivery, struct error *err);

/* Send nothing more, but still record receipts; the next host sends the rest. */
void delivery_stop(struct delivery *delivery);
/* Close the timers; the loop frees the rest once they are closed. */
void delivery_close(struct delivery *delivery);

void delivery_wake(struct delivery *delivery, const char *chat_jid);
void delivery_wake_all(struct delivery *delivery);

/* The chat has a new JID; a text that is being sent is not sent a second time. */
void delivery_moved(struct delivery *delivery, const char *jid, const char *new_jid);
void delivery_work(struct delivery *delivery);
/* `later` is the time for RECEIPT_LATER. */
void delivery_receipt(struct delivery *delivery, const char *key, enum channel_receipt receipt,
	const char *detail, int64_t later);

/*
 * Send a notice from the host to a group's chat, in the caller's transaction. `about` identifies
 * the notice: a second one with the same `about` is not sent.
 */
int delivery_notice(struct delivery *delivery, const char *folder, const char *chat_jid,
	const char *about, const char *text, struct error *err);

/* The same to the chat of main, because it manages the groups; nothing if that is `except`. */
int delivery_notice_main(struct delivery *delivery, const char *except, const char *about,
	const char *text, struct error *err);

/* Tell the channel that its messages up to `seq` are done. */
void delivery_settled(struct delivery *delivery, const char *chat_jid, int64_t seq);

#endif
