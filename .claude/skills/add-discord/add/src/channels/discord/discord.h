/*
 * Discord: a bot, as a channel. docs/discord.md is for people.
 *
 *	          GET users/@me         GET gateway/bot, HELLO, IDENTIFY, then READY
 *	[starting] -----------> (the bot is known) ----------------------> [connected]
 *	     ^                       |      ^   ^                              |
 *	     |                       v      |   +--- RESUME, then RESUMED -----+ the socket is lost,
 *	     +------- [disconnected] -------+ after a while                    | or a text got no answer
 *	     +------- [down]: the token or an intent is refused, tried again after an hour only
 *
 *	discord.c	the channel: opened, asked who owns a chat, closed
 *	api.c		one call of the REST API; limits.c its rate limits
 *	connect.c	the state above
 *	gateway.c	the WebSocket: its heartbeat, and the session
 *	events.c	events in a queue, until they are stored
 *	message.c	from an event to a message
 *	text.c		what people write, in plain text
 *	places.c	names of channels and roles, and which channel a thread is in
 *	history.c	messages that came while there was no session
 *	send.c		from the outbox to Discord
 *	files.c		files of messages
 *	typing.c	that an answer is being written
 *
 * A thread is a channel of its own at Discord. Here it is a thread of the chat that its channel is.
 *
 * The number of the last event that is stored goes into the same transaction as its message, and
 * heartbeats name no later one (L1 in docs/host.md). Discord repeats what follows when the session
 * is resumed, also by the next host. Without a session, the history of each chat has it.
 */
#ifndef CHANNELS_DISCORD_DISCORD_H
#define CHANNELS_DISCORD_DISCORD_H

#include "channels/channel.h"
#include "channels/discord/api.h"
#include "time/backoff.h"
#include "time/rate_limit.h"

#define DISCORD_PREFIX "discord:"

struct discord_chat;
struct discord_event;
struct discord_fetching;
struct discord_place;
struct discord_sending;
struct websocket;

struct discord_session {
	char *id;     /* NULL: there is none */
	char *url;    /* where to resume it */
	int64_t seq;  /* of the last event that has come */
	int64_t done; /* all events up to this one are stored, or need not be */
};

struct discord {
	struct channel channel;
	struct discord_api api;
	char *bot; /* the id of its user; NULL: not known yet */

	/* connect.c */
	struct discord_call *call; /* to get a connection; NULL: none is under way */
	bool checking;             /* whether Discord answers at all is to be found out */
	struct backoff backoff;
	struct rate_limit identifies;
	int64_t ready_at; /* when the connection began to bring events; 0: it does not */
	char *trouble;    /* the last one that was reported; NULL: none */
	uv_timer_t timer;

	/* gateway.c */
	struct websocket *socket; /* NULL: none */
	struct discord_session session;
	uint64_t beat_ms;
	bool beat_unanswered;
	uv_timer_t beat_timer;

	/* events.c */
	struct discord_event *events;
	struct discord_event **last_event;
	unsigned event_count;
	uv_timer_t event_timer;

	struct discord_place *places; /* the latest first */
	unsigned place_count;

	/* history.c */
	struct discord_chat *chats;
	struct discord_chat *fetching;
	struct discord_call *fetch;
	uv_timer_t history_timer;
	struct backoff history_backoff;
	char *stored_marks; /* of all chats, and the session, as they are in the store */
	char *new_marks;    /* as they are after the next commit; NULL: the same */

	/* send.c */
	struct discord_sending *sendings;
	unsigned sending_count;
	bool turned_away; /* a text was, because too many are under way */

	struct discord_fetching *fetchings;
	struct string_array typing; /* JIDs */
	uv_timer_t typing_timer;
	int root; /* the open folder of the project */

	uint64_t grace_ms;
	unsigned open_handles;
	bool closing;
};

/* The id of a chat in a JID; NULL for another JID. */
const char *discord_chat_id(const char *jid);
char *discord_jid(const char *id);

/* The last thing of a channel that is closed: nothing is under way. */
void discord_finish(struct discord *discord);

/* connect.c */
void discord_connect_begin(struct discord *discord);
void discord_connect_end(struct discord *discord);
/* READY or RESUMED has come. */
void discord_connect_ready(struct discord *discord);
void discord_connect_lost(struct discord *discord, const char *why);
/* Discord wants another connection. */
void discord_connect_renew(struct discord *discord);
/* Something got no answer: is anybody there? Nothing is sent before that is known. */
void discord_connect_check(struct discord *discord, const char *why);
/* A person has to do something; it is tried again after an hour. */
void discord_connect_refused(struct discord *discord, const char *detail);
void discord_connect_no_token(struct discord *discord);

/* gateway.c */
int discord_gateway_open(struct discord *discord, const char *url, struct error *err);
void discord_gateway_drop(struct discord *discord);
/* The next connection begins a new session. */
void discord_session_forget(struct discord *discord);

/* events.c */
enum discord_event_kind {
	DISCORD_MESSAGE,
	DISCORD_EDIT,
	DISCORD_REACTION,
};

void discord_events_add(
	struct discord *discord, enum discord_event_kind kind, int64_t seq, json_t *event);
/* Messages of a chat's history, the oldest first: before all others. */
void discord_events_insert(struct discord *discord, const char *chat, const json_t *messages);
/* A place or a history has come, for which an event may have waited. */
void discord_events_go_on(struct discord *discord, int64_t wait_ms);
/* The chat of the first one, or NULL. */
const char *discord_events_chat(const struct discord *discord);
/* The session is over, and its numbers with it. */
void discord_events_outlive(struct discord *discord);
void discord_events_end(struct discord *discord);

/* message.c */
/* Are the places in it known? If not, they are asked for. */
bool discord_message_placed(
	struct discord *discord, enum discord_event_kind kind, const json_t *event);
/* Within begin() and commit() of the host. */
void discord_message_take(struct discord *discord, enum discord_event_kind kind,
	const json_t *event, bool of_history);

/* text.c */
/* The id at the beginning of `text` if that mentions a channel ('#') or a role ('&'). */
bool discord_text_next(const char **text, char *ret_kind, char ret_id[static 32]);
/* In plain text; a mention of us at the beginning is left out. */
void discord_text_plain(struct discord *discord, const json_t *message, struct buf *out);

/* places.c: channels, and roles of a server (`guild`); its id is NULL where it is not known. */
bool discord_place_known(
	struct discord *discord, const char *id, const char *guild, bool is_role);
/* NULL: it has none. */
const char *discord_place_name(struct discord *discord, const char *id);
/* The channel of a thread; NULL: it is no thread. */
const char *discord_place_parent(struct discord *discord, const char *id);
/* The server of a channel; NULL: it is not known. */
const char *discord_place_guild(struct discord *discord, const char *id);
/* Is it the role of our bot? */
bool discord_place_is_ours(struct discord *discord, const char *id);
/* As an event has it. */
void discord_place_learn(struct discord *discord, const json_t *channel);
void discord_places_end(struct discord *discord);

/* history.c */
void discord_history_recall(struct discord *discord, const char *marks);
/* A new session has begun: fetch the messages that came before it. -1: it could not be stored. */
int discord_history_begin(struct discord *discord);
/* Fetch what is missing. */
void discord_history_go_on(struct discord *discord);
void discord_history_stop(struct discord *discord);
void discord_history_end(struct discord *discord);
/* Is this chat noted? And is a part of its history still to come? */
bool discord_history_has(const struct discord *discord, const char *chat);
bool discord_history_missing(const struct discord *discord, const char *chat);
/* All messages of discord_events_insert() are stored. */
void discord_history_done(struct discord *discord, const char *chat);
/*
 * Within begin() and commit(): this message, and all before it, are stored. `begins`: also of a
 * chat that was not noted before; `parent` and `guild` are then kept, and may be NULL. Then
 * discord_history_committed() is called.
 */
struct discord_note {
	const char *chat;
	const char *message;
	const char *parent;
	const char *guild;
	bool begins;
};

void discord_history_note(struct discord *discord, const struct discord_note *note);
void discord_history_committed(struct discord *discord, bool committed);

/* files.c */
void discord_fetch(struct channel *channel, const struct channel_file *file);
void discord_fetch_end(struct discord *discord);

/* send.c */
enum channel_sent discord_send(struct channel *channel, const struct outbox_row *row);
void discord_send_end(struct discord *discord);

/* typing.c */
void discord_typing(struct channel *channel, const char *jid, bool on);

#endif
