/*
 * Telegram: a bot, as a channel. docs/telegram.md is for people.
 *
 *	              getMe             getUpdates             getUpdates …
 *	[starting] -----------> (the bot is known) ---> [connected] ----+
 *	     ^                       |      ^                ^   |      |
 *	     |                       v      | after a while  +---|------+
 *	     +------- [disconnected]: no answer, or somebody else polls; a text got no answer
 *	     +------- [down]: the token is refused, which is tried again after an hour only
 *
 *	telegram.c	the channel: opened, asked who owns a chat, closed
 *	api.c		one call
 *	poll.c		updates, and the state above
 *	update.c	from an update to a message
 *	content.c	what a message says: text, mentions, a file
 *	send.c		from the outbox to Telegram
 *	files.c		files of messages, fetched behind them
 *	reactions.c	emoji under messages
 *	typing.c	"is typing …"
 *
 * Telegram keeps updates for a day, until getUpdates asks for later ones. That is done only when
 * the host has stored them (L1 in docs/host.md).
 */
#ifndef CHANNELS_TELEGRAM_TELEGRAM_H
#define CHANNELS_TELEGRAM_TELEGRAM_H

#include "channels/channel.h"
#include "channels/telegram/api.h"
#include "time/backoff.h"

struct fetching;
struct sending;
struct typing;

struct telegram {
	struct channel channel;
	struct telegram_api api;
	int root;       /* the open folder of the project */
	char *prefix;   /* of its JIDs */
	int64_t bot;    /* its id; 0: not known yet */
	char *username; /* its name, without the @ */

	struct telegram_call *poll; /* NULL: the timer runs */
	uint64_t polled;            /* when it began, on the loop's clock */
	int64_t offset;             /* updates before this one are stored; 0: not known */
	bool one_by_one;            /* what came last could not be read */
	int trouble;                /* code of the last failure; 0: no answer; 200: none */
	struct backoff backoff;
	uv_timer_t timer; /* the next poll; while it is closed, the last word */

	struct sending *sendings;
	unsigned sending_count;
	bool turned_away; /* a text was, because too many are under way */

	struct fetching *fetchings;
	struct typing *typing;
	uv_timer_t typing_timer;

	uint64_t grace_ms;
	unsigned open_handles;
	bool closing;
};

/* The id of a chat in a JID; 0 for another JID. */
int64_t telegram_chat_id(const struct telegram *telegram, const char *jid);
char *telegram_jid(const struct telegram *telegram, int64_t chat_id);

/*
 * The id by which the host knows a message; and its number, 0 if it is not of this chat. A group
 * that becomes a supergroup begins to count anew, and so does another bot, while the host goes on
 * with the same chat: by its number alone, a new message would be taken for an old one.
 */
char *telegram_message_id(const struct telegram *telegram, int64_t chat_id, int64_t message_id);
int64_t telegram_message_number(
	const struct telegram *telegram, int64_t chat_id, const char *id);

/* The last thing of a channel that is closed: nothing is under way. */
void telegram_finish(struct telegram *telegram);

/* poll.c */
void telegram_poll_begin(struct telegram *telegram);
void telegram_poll_end(struct telegram *telegram);
/* A text got no answer: is anybody there? Nothing is sent before that is known. */
void telegram_poll_check(struct telegram *telegram, const char *why);
/* The token is refused. */
void telegram_poll_refused(struct telegram *telegram, const char *description);

/* update.c: within begin() and commit() of the host. */
void telegram_update_take(struct telegram *telegram, const json_t *update);

/* send.c */
enum channel_sent telegram_send(struct channel *channel, const struct outbox_row *row);
void telegram_send_end(struct telegram *telegram);

/* files.c */
void telegram_fetch(struct channel *channel, const struct channel_file *file);
void telegram_fetch_end(struct telegram *telegram);

/* reactions.c */
void telegram_reaction_take(struct telegram *telegram, const json_t *reaction, int64_t update);
json_t *telegram_reaction_parameters(int64_t chat, int64_t message, const char *emoji);

/* typing.c */
void telegram_typing(struct channel *channel, const char *jid, bool on);
void telegram_typing_end(struct telegram *telegram);

#endif
