/*
 * The outbox: texts to send, until a channel has sent them.
 *
 *	            sent (receipt)
 *	[waiting] ----------------> [sent]
 *	  |   ^                       |
 *	  |   | failed: attempts + 1, not before …; later: not before …
 *	  +---+                       |
 *	  | failed for good,          | the platform took it, and reports later that it
 *	  | or too often              | could not deliver it
 *	  v                           |
 *	[dead] <----------------------+
 *	          the owner gets a message, and `nanoclaw trace` explains it
 *
 * One row per part of a text. L6 and L7 (docs/host.md) are about these rows.
 *
 * The progress of a turn is no row of the table: the turn has it, as the one text that is to be shown
 * next. It is sent like a row, after all others of its chat; the answer then replaces it.
 */
#ifndef LEDGER_OUTBOX_H
#define LEDGER_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "db/store.h"
#include "ledger/attachments.h"

enum outbox_kind {
	OUTBOX_ANSWER,
	OUTBOX_ERROR,    /* in the place of an answer */
	OUTBOX_MESSAGE,  /* an agent said it by itself */
	OUTBOX_NOTICE,   /* the host said it */
	OUTBOX_PROGRESS, /* of a turn, until it has an answer */
};

const char *outbox_kind_name(enum outbox_kind kind);

/* What a row does; all but a text are for channels that can do it. */
enum outbox_action {
	OUTBOX_TEXT,
	OUTBOX_REACT, /* the content is an emoji, for the message `target` */
	OUTBOX_EDIT,  /* the content replaces the text `target`, which we sent */
	OUTBOX_STATE, /* the content is the new state of the thread's subject */
};

struct outbox_row {
	int64_t id; /* 0: no row */
	char *key;
	int64_t turn;     /* 0: none */
	int64_t last_seq; /* of the turn: up to which message it answers; 0: none */
	char *group_folder;
	char *chat_jid;
	enum outbox_kind kind;
	int part;
	int parts;
	char *content;
	int attempts;
	int64_t not_before;
	int64_t created_at;
	char *thread;   /* of the message that it answers; or NULL */
	char *reply_to; /* the id of that message in a group's chat; or NULL */
	enum outbox_action action;
	char *target; /* the platform's id of the message that an action is about; or NULL */
	struct attachment_list attachments; /* stored ones; filled by outbox_next() */
	bool again; /* it may have been sent before; set by the sender */
};

#define OUTBOX_ROW_INIT ((struct outbox_row){0})

/* Maximum bytes of a group's messages that wait; answers are not limited. */
#define OUTBOX_MAX_WAITING ((int64_t)4 * 1024 * 1024)

int outbox_waiting_bytes(
	struct store *store, const char *folder, int64_t *ret_bytes, struct error *err);

void outbox_row_release(struct outbox_row *row);

/* The key, turn, folder, chat, kind, part, parts, content, action and target are used; thread
 * and reply_to follow from the turn. If the key exists, nothing is added (L8), and `*ret_added`,
 * which may be NULL, is false. */
int outbox_add(struct store *store, const struct outbox_row *row, int64_t now, bool *ret_added,
	struct error *err);

/* The id of the row with this key; 0: no such row. */
int outbox_find(struct store *store, const char *key, int64_t *ret_id, struct error *err);

/* The next row of a chat (L7), which may have to wait; `id` is 0 if there is none. */
int outbox_next(struct store *store, const char *chat_jid, int64_t now,
	struct outbox_row *ret_row, struct error *err);

/* The row with this key if it waits or, unless `waiting`, was sent; `id` is 0 for any other. */
int outbox_of_key(struct store *store, const char *key, bool waiting,
	struct outbox_row *ret_row, struct error *err);

/*
 * The platform's id of the newest text sent to a chat for a group, to be freed; NULL if there
 * is none or it had several parts.
 */
int outbox_last_receipt(struct store *store, const char *folder, const char *chat_jid,
	char **ret_receipt, struct error *err);

/* The number of the newest row, or 0. */
int outbox_newest(struct store *store, int64_t *ret_id, struct error *err);

/* The chats in which something waits, each followed by a newline. */
int outbox_chats(struct store *store, struct buf *ret_chats, struct error *err);

/*
 * In order: a receipt came; the platform asks for it later, which does not count as an attempt;
 * sending failed and is retried; sending is given up.
 */
int outbox_sent(struct store *store, const struct outbox_row *row, const char *receipt,
	int64_t now, struct error *err);
int outbox_later(struct store *store, const struct outbox_row *row, const char *reason,
	int64_t not_before, struct error *err);
int outbox_failed(struct store *store, const struct outbox_row *row, const char *reason,
	int64_t not_before, struct error *err);
int outbox_dead(struct store *store, const struct outbox_row *row, const char *reason,
	int64_t now, struct error *err);

/* --- progress ------------------------------------------------------------------ */

/* Show this text in the chat of a turn, instead of one that still waits. */
int outbox_progress_show(struct store *store, int64_t turn, const char *text,
	int64_t not_before, struct error *err);

/*
 * As outbox_next(): the text that a turn of this chat shows next, which edits its message if there is
 * one. `key` is NULL if there is none. `id` is the newest row of the outbox.
 */
int outbox_progress_next(struct store *store, const char *chat_jid, struct outbox_row *ret_row,
	struct error *err);

/* What became of a row of outbox_progress_next(). */
struct progress_result {
	bool sent;
	bool again;          /* not sent, but to be tried again */
	const char *receipt; /* of the message that the next text edits; or NULL */
	int64_t not_before;  /* the next text */
};

int outbox_progress_tried(struct store *store, const struct outbox_row *row,
	const struct progress_result *result, struct error *err);

/*
 * The message of a turn's progress, for the answer to replace, to be freed; NULL if there is none,
 * or if it is not our last text in the chat.
 */
int outbox_progress_message(
	struct store *store, int64_t turn, char **ret_receipt, struct error *err);

/*
 * An answer that waits could not be sent. If it might have replaced the message of its turn's progress,
 * forget that message: the next attempt sends a text of its own.
 */
int outbox_progress_forget(struct store *store, const struct outbox_row *row,
	bool *ret_forgotten, struct error *err);

#endif
