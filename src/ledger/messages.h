/*
 * Incoming messages, and the history of a group: the messages of people and of the assistant.
 * turns.h describes how messages get their answers.
 */
#ifndef LEDGER_MESSAGES_H
#define LEDGER_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "db/store.h"

/* How a message refers to an earlier one. */
enum reference {
	REFERENCE_NONE,
	REFERENCE_REPLY,
	REFERENCE_EDIT,
	REFERENCE_REACTION,
};

struct arrival {
	const char *channel;
	const char *chat_jid;
	const char *id;
	const char *sender;
	const char *sender_name;
	struct view content; /* UTF-8 without NUL */
	int64_t time;
	bool from_me;
	const char *group_folder;
	bool wants_answer;
	bool alone;               /* it has a turn to itself, with the context before it */
	const char *thread;       /* or NULL */
	enum reference reference; /* to the message with the id `refers_to` */
	const char *refers_to;    /* NULL if it refers to none */
};

/* store_chat_note() comes first. `*ret_new` is false for a repetition (L2). */
int message_receive(struct store *store, const struct arrival *arrival, int64_t now,
	int64_t *ret_seq, bool *ret_new, struct error *err);

/*
 * An edit of a message that no agent has seen yet changes that message; `*ret_seq` is its
 * number. 0: the edit is stored as a new message. A repeated edit changes nothing.
 */
int message_edit(struct store *store, const struct arrival *edit, int64_t *ret_seq,
	bool *ret_changed, struct error *err);

/* The platform's id of a message, to be freed; NULL if there is no such message. */
int message_get_id(struct store *store, int64_t seq, char **ret_id, struct error *err);

/* The thread that it is in, to be freed; NULL if it is in none. */
int message_get_thread(struct store *store, int64_t seq, char **ret_thread, struct error *err);

/* "received" … "delivered", to be freed; NULL if there is no such message. */
int message_get_state(struct store *store, int64_t seq, char **ret_state, struct error *err);

struct chat_history_entry {
	char *time;
	char *who;  /* the sender's name; NULL: the assistant */
	char *kind; /* "message", "answer", "error", "notice" */
	char *text;
	int64_t turn; /* 0: none */
	char *id;     /* texts in the order of the history, for chat_history_filter */
	bool waits;   /* to be delivered; not in a local chat, where reading it here is that */
};

struct chat_history_filter {
	const char *folder;
	int64_t last;       /* at most this many, the latest */
	const char *before; /* only those before the entry with this id; or NULL */
	bool waiting;       /* also texts that wait to be delivered */
};

struct chat_history {
	struct chat_history_entry *list;
	size_t count;
	size_t cap;
};

void chat_history_release(struct chat_history *history);

/* The oldest first. */
int chat_history_read(struct store *store, const struct chat_history_filter *filter,
	struct chat_history *ret_history, struct error *err);

#endif
