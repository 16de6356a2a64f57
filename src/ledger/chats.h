/*
 * Chats: every conversation that a channel has reported, registered or not.
 *
 * Of a chat that is not registered, the store keeps the JID, the name and the time of the last
 * message, so that a person can find and register it. It never keeps the texts.
 */
#ifndef LEDGER_CHATS_H
#define LEDGER_CHATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

/*
 * Maximum number of chats; above it, the CHATS_ROOM chats with the oldest last messages are
 * dropped.
 */
#define CHATS_MAX  10000
#define CHATS_ROOM 500

enum chat_kind {
	CHAT_UNKNOWN, /* not reported; treated as a group */
	CHAT_GROUP,
	CHAT_DIRECT, /* one to one */
};

struct chat {
	char *jid;
	char *name;
	char *last_message_time;
	char *channel;
	bool is_group;
	bool registered;
};

struct chat_list {
	struct chat *list;
	size_t count;
	size_t cap;
};

void chat_list_release(struct chat_list *chats);

/*
 * Record that a chat exists. A NULL `name`, a `channel` "" and a `time` of 0 leave the stored values
 * unchanged.
 * `registered` chats are always kept.
 */
int store_chat_note(struct store *store, const char *jid, const char *name, const char *channel,
	enum chat_kind kind, int64_t time, bool registered, struct error *err);

/*
 * Give a chat a new id, which must be known and must not belong to a group. All rows of the
 * chat, and its group, get the new id.
 */
int store_chat_move(
	struct store *store, const char *jid, const char *new_jid, struct error *err);

/* Did somebody write on this channel, of which no chat belongs to a group? */
int store_chat_unpaired(
	struct store *store, const char *channel, bool *ret_unpaired, struct error *err);

/* CHAT_UNKNOWN if the chat is not in the store. */
int store_chat_kind(
	struct store *store, const char *jid, enum chat_kind *ret_kind, struct error *err);

/* Those whose name or JID contains `text`, the latest first, at most `max`. */
int store_chat_search(struct store *store, const char *text, int max,
	struct chat_list *ret_chats, struct error *err);

#endif
