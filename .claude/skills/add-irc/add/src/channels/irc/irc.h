/*
 * IRC: a nick on one server, as a channel. docs/irc.md is for people.
 *
 *	             CAP, SASL, NICK            001 … end of the message of the day
 *	[starting] ------------------> (a stream) ----------------------> [connected]
 *	     ^                              |                                  |
 *	     | after a while                v                                  | ERROR, silence
 *	     +---------------------- [disconnected] <--------------------------+
 *	     +---------------------- [down]: a person has to do something; tried after an hour
 *
 *	settings.c	the settings, checked
 *	line.c		lines of the protocol, nicks and names of channels
 *	text.c		texts of people in plain text, ours in lines
 *	irc.c		the channel: opened, asked who owns a chat, closed
 *	connect.c	the state above, and every line that comes or goes
 *	reach.c		whether a server answers, for doctor
 *	register.c	from a new stream to a nick that the server knows
 *	rooms.c		channels of IRC that it is in, or wants to be in
 *	message.c	from a line to a message
 *	send.c		from the outbox to lines, and their receipts
 *
 * IRC keeps no history and acknowledges nothing. A text has arrived when its label or its echo
 * comes back, or when the server answers a PING that was sent behind it, because a server works
 * through the lines of a client in order.
 */
#ifndef CHANNELS_IRC_IRC_H
#define CHANNELS_IRC_IRC_H

#include "channels/channel.h"
#include "channels/irc/line.h"
#include "channels/irc/settings.h"
#include "format/line_reader.h"
#include "net/stream/stream.h"
#include "time/backoff.h"
#include "time/rate_limit.h"

#define IRC_PREFIX "irc:"

struct irc_chat;
struct irc_room;
struct irc_sending;

/* What the server can do, and we have asked for. */
enum irc_capability {
	IRC_BATCH = 1 << 0,
	IRC_ECHO = 1 << 1,
	IRC_LABELS = 1 << 2,
	IRC_TAGS = 1 << 3,
	IRC_SASL = 1 << 4,
	IRC_TIME = 1 << 5,
	IRC_ACCOUNT = 1 << 6,
};

struct irc {
	struct channel channel;
	struct irc_settings settings;
	struct network *network;

	/* connect.c */
	struct net_stream *stream; /* NULL: there is none */
	struct line_reader reader;
	struct backoff backoff;
	struct rate_limit rate;
	char *trouble;         /* the last one that was reported; NULL: none */
	int64_t registered_at; /* 0: the server does not know us yet */
	bool refused;          /* before that, it has complained */
	bool heard;            /* something came since the last look */
	bool asked;            /* and before that, for a sign of life */
	uv_timer_t timer;

	/* register.c */
	char *nick; /* as the server knows it, or as we have asked for */
	unsigned nick_attempts;
	unsigned offered; /* bits of enum irc_capability */
	unsigned capabilities;
	bool authenticated;
	enum irc_mapping mapping;

	/* rooms.c */
	struct irc_room *rooms;
	size_t room_count;
	uv_timer_t room_timer;

	/* message.c */
	char *id_prefix; /* of ids that we make */
	uint64_t id_number;

	/* send.c */
	struct irc_sending *sendings; /* in the order in which they were given */
	unsigned sending_count;
	uint64_t last_written;  /* the number of the text that had the last turn */
	struct irc_chat *chats; /* to which a part of an answer was sent */
	uint64_t sending_number;
	uint64_t
		overdue; /* the number of a text that had no receipt at the last look; 0: none */
	bool turned_away; /* a text was, because too many are under way */
	uv_timer_t send_timer;
	uv_timer_t hold_timer; /* runs while an answer is held */

	uint64_t grace_ms;
	unsigned open_handles;
	bool closing;
};

/* The nick or channel in a JID; NULL for another JID. */
const char *irc_target(const char *jid);
char *irc_jid(const struct irc *irc, const char *target);
bool irc_is_me(const struct irc *irc, const char *nick);

/* The last thing of a channel that is closed: nothing is under way. */
void irc_finish(struct irc *irc);

/* connect.c */
void irc_connect_begin(struct irc *irc);
/* Without a word to the host. */
void irc_connect_end(struct irc *irc);
/* The server knows us: texts can be sent. */
void irc_connect_is_up(struct irc *irc);
void irc_connect_lost(struct irc *irc, const char *why);
/* A person has to do something; it is tried again after an hour. */
void irc_connect_refused(struct irc *irc, const char *detail);
/*
 * Send a line, without its end. CR, LF and NUL cannot get into it. False: there is no connection, or
 * it takes nothing now.
 */
bool irc_write(struct irc *irc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Milliseconds to wait for the next line, so that the server does not end a flood; 0: go ahead,
 * and this one counts. */
int64_t irc_wait(struct irc *irc);

/* register.c */
void irc_register_begin(struct irc *irc);
/* Did the line belong to it? */
bool irc_register_take(struct irc *irc, const struct irc_line *line);
/* Somebody else had our nick: try again to get it. */
void irc_register_regain(struct irc *irc);

/* rooms.c */
void irc_rooms_init(struct irc *irc);
void irc_rooms_release(struct irc *irc);
void irc_rooms_join(struct irc *irc);
/* There is no connection. */
void irc_rooms_lost(struct irc *irc);
bool irc_rooms_take(struct irc *irc, const struct irc_line *line);
/* Is it one of ours; and are we in it? */
bool irc_rooms_has(const struct irc *irc, const char *name);
bool irc_rooms_in(const struct irc *irc, const char *name);

/* message.c */
void irc_message_take(struct irc *irc, const struct irc_line *line);

/* send.c */
enum channel_sent irc_send(struct channel *channel, const struct outbox_row *row);
/* A line that may be a receipt, or a refusal. */
void irc_send_take(struct irc *irc, const struct irc_line *line);
/* Does the text ask for the rest of a long answer? Then it is no message. */
bool irc_send_is_more(const struct irc *irc, const char *jid, const char *text);
/* A person who may do so wants more of a long answer, or has asked something else. */
void irc_send_go_on(struct irc *irc, const char *jid, bool more);
void irc_send_release(struct irc *irc);
/* Has a text waited for its receipt since the last call? */
bool irc_send_is_stuck(struct irc *irc);
/* The connection is gone: nobody knows what has arrived. */
void irc_send_lost(struct irc *irc, const char *why);

#endif
