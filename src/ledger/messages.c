#include "ledger/messages.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "db/query.h"

static const char *const references[] = {
	[REFERENCE_NONE] = NULL,
	[REFERENCE_REPLY] = "reply",
	[REFERENCE_EDIT] = "edit",
	[REFERENCE_REACTION] = "reaction",
};

int message_edit(struct store *store, const struct arrival *edit, int64_t *ret_seq,
	bool *ret_changed, struct error *err)
{
	*ret_changed = false;
	if (query_run(store, err,
		    "UPDATE messages SET content = ?, wants_answer = max(wants_answer, ?),"
		    " alone = ? WHERE chat_jid = ? AND id = ? AND channel = ? AND sender = ?"
		    " AND state = 'received' AND content <> ?1",
		    "vddssss", edit->content, edit->wants_answer, edit->alone, edit->chat_jid,
		    edit->refers_to, edit->channel, edit->sender) < 0)
		return -1;
	*ret_changed = store_changes(store) > 0;
	/*
	 * The last edit, which may be a message of its own, has the current text. Platforms
	 * also report edits that do not change the text.
	 */
	return query_number(store, 0, ret_seq, err,
		"SELECT seq FROM (SELECT seq, content FROM messages WHERE chat_jid = ?1"
		" AND channel = ?2 AND sender = ?3"
		" AND (id = ?4 OR (reference = 'edit' AND refers_to = ?4))"
		" ORDER BY seq DESC LIMIT 1) WHERE content = ?5",
		"ssssv", edit->chat_jid, edit->channel, edit->sender, edit->refers_to,
		edit->content);
}

int message_receive(struct store *store, const struct arrival *a, int64_t now, int64_t *ret_seq,
	bool *ret_new, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	int64_t seq;
	bool is_new;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"INSERT OR IGNORE INTO messages (id, chat_jid, sender, sender_name, content,"
			" timestamp, is_from_me, channel, group_folder, received_at, wants_answer,"
			" alone, thread, reference, refers_to)"
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"ssssvtdsstddsss", a->id, a->chat_jid, a->sender, a->sender_name,
			a->content, a->time, a->from_me, a->channel, a->group_folder, now,
			a->wants_answer, a->alone, a->thread, references[a->reference],
			a->refers_to) < 0)
		return -1;
	is_new = store_changes(store) > 0;
	if (query_number(store, 0, &seq, err,
		    "SELECT seq FROM messages WHERE chat_jid = ? AND id = ? AND channel = ?",
		    "sss", a->chat_jid, a->id, a->channel) < 0 ||
		txn_commit(&txn, "receive", err) < 0)
		return -1;
	*ret_seq = seq;
	*ret_new = is_new;
	return 0;
}

int message_get_id(struct store *store, int64_t seq, char **ret_id, struct error *err)
{
	return query_string(
		store, ret_id, err, "SELECT id FROM messages WHERE seq = ?", "i", seq);
}

int message_get_thread(struct store *store, int64_t seq, char **ret_thread, struct error *err)
{
	return query_string(
		store, ret_thread, err, "SELECT thread FROM messages WHERE seq = ?", "i", seq);
}

int message_get_state(struct store *store, int64_t seq, char **ret_state, struct error *err)
{
	return query_string(
		store, ret_state, err, "SELECT state FROM messages WHERE seq = ?", "i", seq);
}

static const struct row_column history_columns[] = {
	ROW_COLUMN(struct chat_history_entry, id),
	ROW_COLUMN(struct chat_history_entry, time),
	ROW_COLUMN(struct chat_history_entry, who),
	ROW_COLUMN(struct chat_history_entry, kind),
	ROW_COLUMN(struct chat_history_entry, text),
	ROW_COLUMN(struct chat_history_entry, turn),
	ROW_COLUMN(struct chat_history_entry, waits),
	{0},
};

static const struct row_type history_row_type = {
	sizeof(struct chat_history_entry), history_columns};

void chat_history_release(struct chat_history *history)
{
	rows_release(&history_row_type, history);
}

/* A text, and a line for each of its files. */
#define WITH_FILES(row, column)                                                                \
	"ltrim(content || coalesce((SELECT group_concat(char(10) || '[file ' ||"               \
	" coalesce(name, kind, type, '') || ']', '') FROM attachments a"                       \
	" WHERE a." column " = " row "), ''), char(10))"

#define HISTORY_MESSAGES                                                                       \
	"SELECT received_at || printf('~0~%015d', seq) AS entry, received_at, sender_name,"    \
	" 'message', " WITH_FILES("seq", "message") ", turn, 0"                                \
						    " FROM messages WHERE group_folder = ?1"
#define HISTORY_TEXTS                                                                             \
	"SELECT created_at || printf('~1~%015d', id), created_at, NULL, kind, " WITH_FILES(       \
		"outbox.id",                                                                      \
		"outbox") ", turn, state = 'waiting' AND chat_jid NOT LIKE 'local:%' FROM outbox" \
			  " WHERE group_folder = ?1 AND (state = 'sent' OR (?4 AND state = 'waiting'))"

int chat_history_read(struct store *store, const struct chat_history_filter *filter,
	struct chat_history *ret_history, struct error *err)
{
	/* By time, then messages before answers, then by number. */
	return query_rows(store, &history_row_type, ret_history, err,
		"SELECT * FROM (SELECT * FROM (" HISTORY_MESSAGES " UNION ALL " HISTORY_TEXTS
		") WHERE ?3 IS NULL OR entry < ?3 ORDER BY entry DESC LIMIT ?2) ORDER BY entry",
		"sisd", filter->folder, filter->last, filter->before, filter->waiting);
}
