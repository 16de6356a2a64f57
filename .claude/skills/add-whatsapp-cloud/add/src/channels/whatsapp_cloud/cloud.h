/*
 * WhatsApp's Cloud API: a business number, as a channel. docs/whatsapp-cloud.md is for people.
 *
 *	              GET /PHONE_ID
 *	[starting] --------------------> [connected]
 *	     ^                             |     ^
 *	     |                             |     | WhatsApp answers again
 *	     |                             v     |
 *	     +-------------------- [disconnected]: no answer, or a text got none
 *	     +------- [down]: the token is refused, which is tried again after an hour only
 *
 *	cloud.c		the channel: opened, asked who owns a chat, closed
 *	api.c		one call of the Graph API, and its errors in words
 *	connect.c	the state above
 *	inbox.c		the webhook: messages, and what became of our texts
 *	content.c	what a message says, and its file
 *	send.c		from the outbox to WhatsApp
 *	chats.c		what is known of a chat; "is typing …"
 *	files.c		files of messages, fetched behind them
 *
 * WhatsApp posts to the webhook until it gets a 200, for days. It gets one when the host has stored
 * what was posted (L1 in docs/host.md).
 *
 * WhatsApp has no key by which it would know a text again, but it returns `biz_opaque_callback_data`
 * of a text in each status of it. There we put the key: a status is a receipt, also for a text whose
 * call got no answer, and for one that the last host sent.
 */
#ifndef CHANNELS_WHATSAPP_CLOUD_CLOUD_H
#define CHANNELS_WHATSAPP_CLOUD_CLOUD_H

#include "channels/channel.h"
#include "channels/whatsapp_cloud/api.h"
#include "time/backoff.h"

#define CLOUD_PREFIX "wa:"

struct cloud_chat;
struct cloud_fetching;
struct cloud_sending;
struct webhook;

struct cloud {
	struct channel channel;
	struct cloud_api api;
	struct webhook *webhook;
	char *verify_token;
	int root; /* the open folder of the project */

	/* connect.c */
	struct cloud_call *call; /* NULL: none is under way */
	struct backoff backoff;
	bool unreachable;  /* that was reported */
	int64_t forged_at; /* when a wrong signature was last reported; 0: never */
	uv_timer_t timer;

	/* When a text was taken since the webhook was last heard; 0: never. */
	int64_t taken_at;
	bool deaf; /* that was reported */

	struct cloud_sending *sendings;
	unsigned sending_count;
	bool turned_away;  /* a text was, because too many are under way */
	int64_t status_ms; /* the time that a status may take */
	int64_t sure_at;   /* from then on, texts of the last host have had their statuses */
	uv_timer_t send_timer;

	struct cloud_chat *chats; /* the latest first */
	unsigned chat_count;
	uv_timer_t typing_timer;

	struct cloud_fetching *fetchings;

	uint64_t grace_ms;
	unsigned open_handles;
	bool closing;
};

/* What follows the prefix in a JID: digits, "US.123…" or "group:…"; NULL for another JID. */
const char *cloud_chat_id(const char *jid);

/* The last thing of a channel that is closed: nothing is under way. */
void cloud_finish(struct cloud *cloud);

/* connect.c */
void cloud_connect_begin(struct cloud *cloud);
void cloud_connect_end(struct cloud *cloud);
/* A call got no answer: is anybody there? Nothing is sent before that is known. */
void cloud_connect_check(struct cloud *cloud, const char *why);
void cloud_connect_refused(struct cloud *cloud, const char *why);
/* The webhook was heard, and the signature was right or not. */
void cloud_connect_heard(struct cloud *cloud, bool is_signed);
/* A text was taken: now a status should come. */
void cloud_connect_expect(struct cloud *cloud);

/* inbox.c */
int cloud_inbox_open(struct cloud *cloud, uv_loop_t *loop, uint16_t port, const char *secret,
	struct error *err);

/* content.c */
struct cloud_content {
	struct buf text;
	struct attachment_arrival file;
	bool has_file;
	char *file_name; /* these two are in `file` */
	char *file_type;
};

void cloud_content_read(const json_t *message, struct cloud_content *ret_content);
void cloud_content_release(struct cloud_content *content);

/* send.c */
enum channel_sent cloud_send(struct channel *channel, const struct outbox_row *row);
/* Within begin() and commit(): the text with this callback data has the id; with `error`, failed. */
void cloud_send_status(
	struct cloud *cloud, const char *callback, const char *id, const char *error);
void cloud_send_end(struct cloud *cloud);

/* chats.c */
struct cloud_chat {
	struct cloud_chat *next;
	char *jid;
	char *last_message; /* its id; NULL: none since the host began */
	char *taken_key;    /* of the last text, while it has no status; or NULL */
	int64_t taken_at;
	struct backoff limited; /* WhatsApp wants texts later */
	bool typing;
};

struct cloud_chat *cloud_chat_get(struct cloud *cloud, const char *jid);
void cloud_chat_heard(struct cloud *cloud, const char *jid, const char *message);
void cloud_typing(struct channel *channel, const char *jid, bool on);
void cloud_chats_end(struct cloud *cloud);

/* files.c */
void cloud_fetch(struct channel *channel, const struct channel_file *file);
void cloud_fetch_end(struct cloud *cloud);

#endif
