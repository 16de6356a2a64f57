/*
 * Channels: how messages get in and out.
 *
 * A kind of channel is one folder here with one `struct channel_kind`, which it
 * registers with CHANNEL_KIND(); the linker collects them, so a new one needs no entry in a list.
 * When the host starts, each kind opens the channels that are configured: none, one
 * or several. A channel is a `struct channel` at the head of the kind's own structure.
 *
 * A channel implements:
 *	open		connect; events.changed() reports the outcome
 *	owns_jid	does this JID belong to the channel?
 *	send		send a text; events.receipt() reports the outcome
 *	fetch		optional: get a file of a message
 *	typing		optional: show that an answer is being written
 *	settled		optional: a message of this channel was answered
 *	check_state	optional: can the issue of this thread have this state?
 *	close		disconnect, and free itself when that is done
 *
 * A JID that several channels claim belongs to the first of them by name.
 *
 * It reports to the host through `struct channel_events`:
 *
 *	events.begin()			the following is stored together
 *	events.message() …		a message has arrived
 *	events.receipt() …		a text was sent, or failed
 *	if (events.commit() == 0)
 *		acknowledge to the other side
 *
 * Nothing is acknowledged before commit() has returned 0 (L1 in docs/host.md). If it
 * returns -1, nothing was stored, and the channel must deliver everything again.
 *
 * Files of a message (`attachments`) come in one of two ways. The channel has the content: then
 * it is stored together with the message. Or it names a `source`: then the message is stored at
 * once, waits for its files for a while, and the host calls fetch() for each of them, even after
 * a restart, when the channel is connected:
 *
 *	fetch(channel, file)		begin; it returns at once
 *	events.fetched(id, bytes) …	the next piece; -1: stop, this fetch is over
 *	events.fetch_ended(id, …)	once, unless fetched() returned -1
 *
 * An `id` that the host does not know is ignored. A text that goes out has its files in
 * `row->attachments` if the channel can send CHANNEL_FILES; attachment_path() says where each is.
 */
#ifndef CHANNELS_CHANNEL_H
#define CHANNELS_CHANNEL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/entry.h"
#include "base/error.h"
#include "base/view.h"
#include "ledger/attachments.h"
#include "ledger/chats.h"
#include "ledger/messages.h"
#include "ledger/outbox.h"
#include "markup/markup.h"

#define CHANNEL_MAX_TEXT ((size_t)256 * 1024) /* of an incoming message */
#define CHANNEL_MAX_ID   256

#define CHANNEL_MAX_ATTACHMENTS 20 /* of a message; more are left out */

struct channel;
struct channel_setup;
struct network;

enum channel_state {
	CHANNEL_STARTING,
	CHANNEL_CONNECTED,
	CHANNEL_DISCONNECTED, /* from its platform, while it runs itself */
	CHANNEL_DOWN,         /* it does not run; it will be started again */
};

const char *channel_state_name(enum channel_state state);

struct channel {
	const struct channel_kind *kind;
	char *name;               /* "local", or the bridge's name */
	enum channel_state state; /* set by channel_set_state() */
	char *detail;             /* the reason for the state, for people; or NULL */
	int64_t retry_at;         /* when a channel that is down is started again; 0: unknown */
	struct markup_form form;  /* of texts that go out */
	bool remembers_keys;      /* a text that is sent twice with the same key appears once */
	unsigned abilities;       /* bits of enum channel_ability */
	int64_t last_event;       /* when its platform last sent something; 0: not yet */
	int64_t lost_at;          /* since when it has not been connected, if lost_ticks */
	unsigned lost_ticks;      /* how often that was found (host/chat/alert.h) */
	const struct channel_events *events;
	void *host;
	struct channel *next; /* the host's list */
};

/* Abilities of a platform besides sending texts. */
enum channel_ability {
	CHANNEL_TYPING = 1 << 0,
	CHANNEL_REACT = 1 << 1,
	CHANNEL_EDIT = 1 << 2,
	CHANNEL_FILES = 1 << 3, /* send them */
	CHANNEL_STATE = 1 << 4, /* change the state of a thread's issue */
	CHANNEL_LIVE = 1 << 5,  /* people read along, though it shows no typing */
};

/*
 * Do people follow this channel's chats as they go on, on a screen of the platform? True if it can
 * show that somebody is typing, edit messages, or says so. Mail can do none of it. An issue tracker has
 * states,
 * and the terminal shows the steps of a turn by itself.
 */
bool channel_is_followed(const struct channel *channel);

/* The result of send(). */
enum channel_sent {
	CHANNEL_TAKEN,   /* a receipt will follow */
	CHANNEL_NOT_NOW, /* try again after events.ready() */
};

/* A file to fetch. */
struct channel_file {
	int64_t id; /* the host's number for it */
	const char *chat_jid;
	const char *source; /* as the message had it */
	int64_t max;        /* its maximum size in bytes */
};

struct channel_kind {
	const char *name;
	int (*open)(const struct channel_setup *setup, struct error *err);
	void (*close)(struct channel *channel);
	bool (*owns_jid)(const struct channel *channel, const char *jid);
	/* `row->action` is OUTBOX_TEXT unless the channel can do more. */
	enum channel_sent (*send)(struct channel *channel, const struct outbox_row *row);
	void (*fetch)(struct channel *channel, const struct channel_file *file);
	void (*typing)(struct channel *channel, const char *jid, bool on);
	void (*settled)(struct channel *channel, const char *jid, int64_t seq);
	/* ERROR_INVALID lists the valid states; 0 also if the channel does not know them now. */
	int (*check_state)(const struct channel *channel, const char *thread, const char *state,
		struct error *err);
};

struct channel_message {
	const char *chat_jid;
	const char *id;
	const char *sender;
	const char *sender_name;
	const char *alias; /* a name that others can take, in lists of senders; or NULL */
	struct view text;
	int64_t time;          /* 0: now */
	const char *chat_name; /* or NULL */
	enum chat_kind chat_kind;
	bool from_me;
	bool mentions_me;         /* it addresses the assistant without the trigger */
	bool only_ask;            /* would it be ARRIVAL_STORED? It is for the channel itself */
	const char *thread;       /* or NULL */
	enum reference reference; /* to the message with the id `refers_to` */
	const char *refers_to;    /* NULL if it refers to none */
	const struct attachment_arrival *attachments; /* ledger/attachments.h */
	size_t attachment_count;
};

enum channel_arrival {
	ARRIVAL_STORED,  /* now or earlier */
	ARRIVAL_IGNORED, /* its chat is not registered, or its sender not allowed */
	ARRIVAL_REFUSED, /* it is malformed, or its JID belongs to another channel */
	ARRIVAL_FAILED,  /* it was not stored; commit() will fail */
};

enum channel_receipt {
	RECEIPT_SENT,
	RECEIPT_LATER,   /* not before `later`: the platform limits the rate */
	RECEIPT_FAILED,  /* it may work later */
	RECEIPT_REFUSED, /* it will never work */
	RECEIPT_LOST,    /* unknown; the same key is sent again */
};

struct channel_events {
	void (*begin)(void *host);
	int (*commit)(void *host);
	/* Why the last commit() returned -1. */
	const char *(*reason)(void *host);
	/* `*ret_seq` is the number of a message that was stored, else 0. */
	enum channel_arrival (*message)(struct channel *channel,
		const struct channel_message *message, int64_t *ret_seq);
	/* A chat and its name, without a message. */
	void (*chat)(struct channel *channel, const char *jid, const char *name,
		enum chat_kind kind);
	/*
	 * A chat has a new id. -1: the chat is not this channel's, the id is unchanged or
	 * taken, or the chat is main's, which moves only if a person agrees.
	 */
	int (*moved)(struct channel *channel, const char *jid, const char *new_jid);
	/*
	 * `detail` is the platform's id of the text, or the reason; may be NULL. `later` is the
	 * time for RECEIPT_LATER. RECEIPT_SENT and RECEIPT_REFUSED also count for a text that is
	 * not being sent: a platform may report later that it has a text, or could not deliver
	 * it.
	 */
	void (*receipt)(struct channel *channel, const char *key, enum channel_receipt receipt,
		const char *detail, int64_t later);
	/* The next bytes of a file; -1: it is too large, not wanted, or cannot be stored. */
	int (*fetched)(struct channel *channel, int64_t id, struct view bytes);
	/* RECEIPT_SENT: it is complete; otherwise as for a text. -1: it could not be recorded,
	 * so fetch() will be called again. */
	int (*fetch_ended)(struct channel *channel, int64_t id, enum channel_receipt receipt,
		const char *reason, int64_t later);
	/* The channel can send again, in one chat or, with NULL, in all. */
	void (*ready)(struct channel *channel, const char *jid);
	/* Its state has changed. */
	void (*changed)(struct channel *channel);
	/* For a person at the terminal: an operation by name; returns the reply. */
	json_t *(*request)(struct channel *channel, json_t *request);
	/* The channel's description of itself, stored for the next start. */
	void (*remember)(struct channel *channel, const char *text);
	/* The state of a message: "received" … "delivered"; "" if it is gone. To be freed. */
	char *(*message_state)(struct channel *channel, int64_t seq);
};

struct channel_setup {
	uv_loop_t *loop;
	struct network *network; /* net/network.h; close() cancels the channel's requests */
	int root;                /* the open folder of the project */
	const char *root_path;
	int64_t max_file; /* maximum size of an incoming file in bytes */
	const struct channel_events *events;
	void *host;
	/* A setting, or NULL; it lives as long as the host. */
	const char *(*setting)(void *host, const char *name);
	/* The description that a channel of this name has stored; to be freed, or NULL. */
	char *(*recall)(void *host, const char *name);
	uint64_t grace_ms; /* time to end after close() */
	/* Hand a new channel to the host. */
	void (*add)(void *host, struct channel *channel);
};

#define CHANNEL_KIND(identifier) ENTRY(channels, channel_kind, identifier)

/* All of them by name, ending with NULL. */
const struct channel_kind *const *channel_kinds(void);

/* For channels: the parts that all of them share. */
void channel_init(struct channel *channel, const struct channel_kind *kind, const char *name,
	const struct channel_setup *setup);
void channel_release(struct channel *channel);
void channel_set_state(struct channel *channel, enum channel_state state, const char *detail);

/* Split a text into parts that the channel accepts; one part if the channel is unknown (NULL). */
void channel_split(
	const struct channel *channel, struct view text, struct string_array *ret_parts);

#endif
