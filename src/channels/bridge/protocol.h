/*
 * The lines between the host and a bridge. docs/bridge-protocol.md is the manual; this file
 * converts lines to structures and back, and knows nothing about processes.
 */
#ifndef CHANNELS_BRIDGE_PROTOCOL_H
#define CHANNELS_BRIDGE_PROTOCOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "channels/channel.h"
#include "ledger/chats.h"
#include "ledger/messages.h"
#include "ledger/outbox.h"
#include "markup/markup.h"

#define BRIDGE_PROTOCOL     1
#define BRIDGE_MAX_LINE     ((size_t)1024 * 1024)
#define BRIDGE_MAX_PATTERNS 32

enum bridge_type {
	BRIDGE_HELLO,
	BRIDGE_CONNECTED,
	BRIDGE_DISCONNECTED,
	BRIDGE_MESSAGE,
	BRIDGE_RECEIPT,
	BRIDGE_METADATA,
	BRIDGE_MOVED,
	BRIDGE_PONG,
};

/* Its strings belong to the parsed document. */
struct bridge_line {
	json_t *document;
	enum bridge_type type;
	const char *name;        /* hello: of the bridge; message: of the sender; or NULL */
	const json_t *patterns;  /* hello: the JIDs that it owns */
	struct markup_form form; /* hello */
	bool remembers_keys;     /* hello */
	unsigned abilities;      /* hello: bits of enum channel_ability */
	const char *chat;
	const char *chat_name; /* or NULL */
	enum chat_kind chat_kind;
	const char *id; /* message: its id; receipt: the platform's id, or NULL */
	const char *sender;
	const char *text;
	int64_t time; /* 0: not given */
	bool from_me;
	bool mentions_me;
	const char *thread;                                             /* message; or NULL */
	enum reference reference;                                       /* message */
	const char *refers_to;                                          /* message; or NULL */
	struct attachment_arrival attachments[CHANNEL_MAX_ATTACHMENTS]; /* message */
	size_t attachment_count;
	const char *to; /* moved: the new JID */
	const char *key;
	bool ok;
	bool retry;           /* failed receipt: it may work later */
	int64_t later;        /* failed receipt: milliseconds from now; 0: not given */
	const char *reason;   /* or NULL */
	const char *unwanted; /* message, metadata: why it is ignored; or NULL */
};

/*
 * A line that violates the protocol is ERROR_INVALID with the reason.
 *
 * Nothing that a user of the platform writes makes a line invalid. Texts and names are cut to
 * their maximum; bytes that are not UTF-8, NULs and halves of characters become U+FFFD; an
 * unreadable time becomes the time of arrival; and a message without a text, or with ids that
 * cannot be stored, is `unwanted`: it is acknowledged and forgotten.
 */
int bridge_read(struct view line, struct bridge_line *ret_line, struct error *err);

/*
 * The beginning of a line that is too long and ends in the middle of its text. Fields after the
 * text are unknown; without the id it cannot be read.
 */
int bridge_read_cut(struct view head, struct bridge_line *ret_line, struct error *err);
void bridge_line_release(struct bridge_line *line);

/*
 * The line that asks a bridge to send a row of the outbox. `root` is the path of the project, which
 * its files are below; `again`: it may have been sent before.
 */
json_t *bridge_send_line(const struct outbox_row *row, enum markup_dialect dialect,
	const char *root, bool again);

bool bridge_is_pattern(const char *text);

/* Does a JID match a pattern, in which '*' matches any text? */
bool bridge_jid_matches(const char *pattern, const char *jid);

#endif
