/*
 * Linear, as a channel. docs/linear.md is for people.
 *
 *	           Viewer                News, Issue …          News …
 *	[starting] ------> (who we are) -------------> [connected] ---+
 *	     ^                  |    ^                    ^    |      |
 *	     |                  v    | after a while      +----|------+
 *	     +------- [disconnected]: no answer                v
 *	     +------- [down]: the key is refused, which is tried again after an hour only
 *
 *	linear.c	the channel: opened, asked who owns a chat, closed
 *	api.c		one call
 *	poll.c		what is new, and the state above
 *	hook.c		a webhook, which only says that it is time to ask
 *	issue.c		from what is new about an issue to messages
 *	send.c		from the outbox to Linear
 *
 * The chat is the whole workspace, "linear:__channel__"; an issue is a thread of it: "ENG-123", or
 * "ENG-123/COMMENT" for the replies to a comment.
 *
 * Linear orders by the time of the last change. News are asked for from a mark on, minus an overlap,
 * because changes become visible a little later than their times say. The mark is stored in the
 * transaction of the last message, and what comes twice is known by its id (L2 in docs/host.md).
 */
#ifndef CHANNELS_LINEAR_LINEAR_H
#define CHANNELS_LINEAR_LINEAR_H

#include "base/hash.h"
#include "channels/channel.h"
#include "channels/linear/api.h"
#include "time/backoff.h"

#define LINEAR_CHAT "linear:__channel__"

/* Issues whose details agents have seen since the start; a ring. */
#define LINEAR_SHOWN 256

struct linear_shown {
	struct hash issue;
	struct hash details;
};

struct linear_sending;
struct webhook;

struct linear {
	struct channel channel;
	struct linear_api api;
	char *team; /* the key of the only team to listen to; or NULL */
	int64_t interval;
	char *me;      /* our user's id; NULL: not known yet */
	char *mention; /* "@andy", as comments have it */
	char *profile; /* or its address */

	/* poll.c */
	struct linear_call *call; /* NULL: the timer runs */
	uv_timer_t timer;         /* the next poll; while it is closed, the last word */
	struct backoff backoff;
	int trouble;           /* outcome of the last failure; 0: none */
	int64_t begin;         /* when the channel was first used: older things are not news */
	int64_t mark;          /* changes up to this time are stored, but for the overlap */
	int64_t newest;        /* of the changes since then that the pages so far have */
	int64_t wait;          /* until the next poll, if calls are scarce */
	bool is_new;           /* the channel has stored no mark yet */
	bool again;            /* poll again soon: something has happened meanwhile */
	char *comments_before; /* where the next page begins; NULL: the first one */
	char *issues_before;
	bool is_last;   /* page */
	json_t *news;   /* of this page: comments and issues */
	json_t *issues; /* their issues, by id */
	json_t *wanted; /* ids of issues that are fetched one by one */
	json_t *seen;   /* changes that are stored, with their times */

	/* hook.c */
	struct webhook *webhook; /* NULL: none */
	bool was_forged;

	/* issue.c */
	struct linear_shown shown[LINEAR_SHOWN];
	size_t shown_next;
	json_t *states; /* names of states, by the key of the team */

	struct linear_sending *sending; /* there is one chat: one text at a time */

	uint64_t grace_ms;
	bool closing;
};

/* The last thing of a channel that is closed: nothing is under way. */
void linear_finish(struct linear *linear);

/* --- poll.c ------------------------------------------------------------------ */

void linear_poll_begin(struct linear *linear);
void linear_poll_end(struct linear *linear);
/* There is something to ask for. */
void linear_poll_soon(struct linear *linear);
/* A text got no answer: is anybody there? Nothing is sent before that is known. */
void linear_poll_check(struct linear *linear, const char *why);
void linear_poll_refused(struct linear *linear, const char *why);
void linear_poll_release(struct linear *linear);

/* --- hook.c ------------------------------------------------------------------ */

/* Does nothing without LINEAR_WEBHOOK_SECRET. */
int linear_hook_open(
	struct linear *linear, const struct channel_setup *setup, struct error *err);
void linear_hook_close(struct linear *linear);

/* --- issue.c ----------------------------------------------------------------- */

/* The details that linear_issue_take() needs of an issue. */
extern const char linear_issue_document[];

/* Messages for what is new: `comment`, or NULL for the issue itself. In the caller's transaction. */
void linear_issue_take(struct linear *linear, const json_t *issue, const json_t *comment);

/* When it happened, for the order. */
int64_t linear_issue_when(const json_t *issue, const json_t *comment);

/* --- send.c ------------------------------------------------------------------ */

enum channel_sent linear_send(struct channel *channel, const struct outbox_row *row);
void linear_send_end(struct linear *linear);
int linear_check_state(const struct channel *channel, const char *thread, const char *state,
	struct error *err);

#endif
