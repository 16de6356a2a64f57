/*
 * Slack: an app in a workspace, as a channel. docs/slack.md is for people.
 *
 *	              auth.test            apps.connections.open, then 'hello'
 *	[starting] -----------> (the bot is known) ----------------------> [connected]
 *	     ^                       |      ^                                  |
 *	     |                       v      | after a while                    | no socket is left,
 *	     +------- [disconnected] ------------------------------------------+ or a text got no answer
 *	     +------- [down]: a token is refused, which is tried again after an hour only
 *
 *	slack.c		the channel: opened, asked who owns a chat, closed
 *	api.c		one call of the Web API
 *	connect.c	the state above
 *	socket.c	Socket Mode: WebSockets and their envelopes
 *	events.c	events in a queue, until they are stored and acknowledged
 *	message.c	from an event to a message
 *	text.c		what people write, in plain text
 *	names.c		names of people and chats
 *	history.c	messages that came while no socket was open
 *	send.c		from the outbox to Slack
 *	files.c		files of messages
 *	upload.c	files of the outbox
 *
 * An envelope is acknowledged when the host has stored its message (L1 in docs/host.md). Slack
 * repeats others for a few minutes only; after that they are in the history of their chat.
 */
#ifndef CHANNELS_SLACK_SLACK_H
#define CHANNELS_SLACK_SLACK_H

#include "channels/channel.h"
#include "channels/slack/api.h"
#include "time/backoff.h"

#define SLACK_PREFIX "slack:"

struct slack_chat;
struct slack_event;
struct slack_fetching;
struct slack_name;
struct slack_sending;
struct slack_socket;

struct slack {
	struct channel channel;
	struct slack_api api;
	char *bot_user; /* the id by which it is mentioned; NULL: not known yet */

	/* connect.c */
	struct slack_call *call; /* to get a connection; NULL: none is under way */
	bool checking;           /* whether Slack answers at all is to be found out */
	struct backoff backoff;
	int64_t greeted_at;
	char *trouble; /* the last one that was reported; NULL: none */
	uv_timer_t timer;

	struct slack_socket *sockets;

	/* events.c */
	struct slack_event *events;
	unsigned event_count;
	uv_timer_t event_timer;

	struct slack_name *names;
	unsigned name_count;

	/* history.c */
	struct slack_chat *chats;
	struct slack_chat *fetching;
	struct slack_call *fetch;
	uv_timer_t history_timer;
	struct backoff history_backoff;
	char *stored_marks; /* of all chats, as they are in the store */
	char *new_marks;    /* as they are after the next commit; NULL: the same */

	/* send.c */
	struct slack_sending *sendings;
	unsigned sending_count;
	bool turned_away; /* a text was, because too many are under way */

	struct slack_fetching *fetchings;
	int root; /* the open folder of the project */

	uint64_t grace_ms;
	unsigned open_handles;
	bool closing;
};

/* "C0123ABC", of a channel, person or group. */
bool slack_is_id(const char *text);
/* The id of a chat in a JID; NULL for another JID. */
const char *slack_chat_id(const char *jid);
char *slack_jid(const char *id);

/* The last thing of a channel that is closed: nothing is under way. */
void slack_finish(struct slack *slack);

/* connect.c */
void slack_connect_begin(struct slack *slack);
void slack_connect_end(struct slack *slack);
/* Another socket is needed: the one in use is about to be closed. */
void slack_connect_renew(struct slack *slack);
/* A socket is in use; `deaf`: there was none before. */
void slack_connect_greeted(struct slack *slack, bool deaf);
void slack_connect_lost(struct slack *slack, const char *why);
/* Something got no answer: is anybody there? Nothing is sent before that is known. */
void slack_connect_check(struct slack *slack, const char *why);
/* A person has to do something; it is tried again after an hour. */
void slack_connect_refused(struct slack *slack, const char *detail);
/* A call was refused; false: for a reason that does not concern the connection. */
bool slack_connect_no_token(
	struct slack *slack, const char *variable, const struct slack_reply *reply);

/* socket.c */
int slack_socket_open(struct slack *slack, const char *url, struct error *err);
/* Does one bring events? */
bool slack_socket_listens(const struct slack *slack);
/* Is one open, or being opened, that Slack is not about to close? */
bool slack_socket_lasts(const struct slack *slack);
void slack_socket_acknowledge(struct slack_socket *socket, const char *envelope);
/* Drop the sockets that have not said 'hello', or all. */
void slack_socket_drop(struct slack *slack, bool all);

/* events.c */
void slack_events_add(
	struct slack *slack, struct slack_socket *socket, const char *envelope, json_t *event);
/* Messages of a chat's history, the oldest first: before all others. */
void slack_events_insert(struct slack *slack, const char *chat, const json_t *messages);
/* A name or a history has come, for which an event may have waited. */
void slack_events_go_on(struct slack *slack);
/* The chat of the first one, or NULL. */
const char *slack_events_chat(const struct slack *slack);
void slack_events_forget_socket(struct slack *slack, const struct slack_socket *socket);
void slack_events_end(struct slack *slack);

/* message.c */
/* Are the names in it known? If not, they are asked for. */
bool slack_message_named(struct slack *slack, const json_t *event);
/* Within begin() and commit() of the host. */
void slack_message_take(struct slack *slack, const json_t *event, bool of_history);

/* text.c */
/* False if `known` says so for an id of a person or chat in it; it is called for all of them. */
bool slack_text_known(struct slack *slack, const char *text,
	bool (*known)(struct slack *slack, const char *id));
/* In plain text; a mention of us at the beginning is left out. True: it mentions us. */
bool slack_text_plain(const struct slack *slack, const char *text, struct buf *out);

/* names.c */
bool slack_name_known(struct slack *slack, const char *id);
/* NULL: it has none. */
const char *slack_name_get(const struct slack *slack, const char *id);
void slack_names_end(struct slack *slack);

/* history.c */
void slack_history_recall(struct slack *slack, const char *marks);
/* There was no socket: fetch the messages that came meanwhile. */
void slack_history_begin(struct slack *slack);
void slack_history_stop(struct slack *slack);
void slack_history_end(struct slack *slack);
/* Is this chat noted? And is a part of its history still to come? */
bool slack_history_has(const struct slack *slack, const char *chat);
bool slack_history_missing(const struct slack *slack, const char *chat);
/* All messages of slack_events_insert() are stored. */
void slack_history_done(struct slack *slack, const char *chat);
/*
 * Within begin() and commit(): this message, and all before it, are stored. `begins`: also of a
 * chat that was not noted before. Then one of these is called.
 */
void slack_history_note(
	struct slack *slack, const char *chat, const char *ts, const char *thread, bool begins);
void slack_history_committed(struct slack *slack, bool committed);

/* files.c */
void slack_fetch(struct channel *channel, const struct channel_file *file);
void slack_fetch_end(struct slack *slack);

/* send.c */
enum channel_sent slack_send(struct channel *channel, const struct outbox_row *row);
void slack_send_end(struct slack *slack);

#endif
