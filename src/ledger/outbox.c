#include "ledger/outbox.h"

#include <string.h>

#include "db/query.h"
#include "ledger/groups.h"

static const char *const kinds[] = {
	[OUTBOX_ANSWER] = "answer",
	[OUTBOX_ERROR] = "error",
	[OUTBOX_MESSAGE] = "message",
	[OUTBOX_NOTICE] = "notice",
	[OUTBOX_PROGRESS] = "progress",
	NULL,
};

static const char *const actions[] = {
	[OUTBOX_TEXT] = "", /* NULL in the store */
	[OUTBOX_REACT] = "react",
	[OUTBOX_EDIT] = "edit",
	[OUTBOX_STATE] = "state",
	NULL,
};

const char *outbox_kind_name(enum outbox_kind kind)
{
	return kinds[kind];
}

static const struct row_column outbox_columns[] = {
	ROW_COLUMN(struct outbox_row, id),
	ROW_COLUMN(struct outbox_row, key),
	ROW_COLUMN(struct outbox_row, turn),
	ROW_COLUMN(struct outbox_row, last_seq),
	ROW_COLUMN(struct outbox_row, group_folder),
	ROW_COLUMN(struct outbox_row, chat_jid),
	ROW_ENUM(struct outbox_row, kind, kinds),
	ROW_COLUMN(struct outbox_row, part),
	ROW_COLUMN(struct outbox_row, parts),
	ROW_COLUMN(struct outbox_row, content),
	ROW_COLUMN(struct outbox_row, attempts),
	ROW_TIME(struct outbox_row, not_before),
	ROW_COLUMN(struct outbox_row, thread),
	ROW_COLUMN(struct outbox_row, reply_to),
	ROW_ENUM(struct outbox_row, action, actions),
	ROW_COLUMN(struct outbox_row, target),
	ROW_TIME(struct outbox_row, created_at),
	{0},
};

static const struct row_type outbox_row_type = {sizeof(struct outbox_row), outbox_columns};

void outbox_row_release(struct outbox_row *row)
{
	attachment_list_release(&row->attachments);
	row_release(&outbox_row_type, row);
}

int outbox_waiting_bytes(
	struct store *store, const char *folder, int64_t *ret_bytes, struct error *err)
{
	return query_number(store, 0, ret_bytes, err,
		"SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM outbox"
		" WHERE state = 'waiting' AND group_folder = ?",
		"s", folder);
}

int outbox_add(struct store *store, const struct outbox_row *row, int64_t now, bool *ret_added,
	struct error *err)
{
	if (query_run(store, err,
		    "INSERT OR IGNORE INTO outbox (key, turn, group_folder, chat_jid, kind,"
		    " part, parts, content, created_at, thread, reply_to, action, target)"
		    " SELECT ?1, nullif(?2, 0), ?3, ?4, ?5, ?6, ?7, ?8, ?9, m.thread,"
		    "  CASE WHEN c.is_group AND ?5 IN ('answer', 'error') AND ?6 = 1 THEN m.id"
		    "  END, nullif(?10, ''), ?11 FROM (SELECT 1)"
		    " LEFT JOIN turns t ON t.id = ?2 AND t.chat_jid = ?4"
		    " LEFT JOIN messages m ON m.seq = t.last_seq"
		    " LEFT JOIN chats c ON c.jid = ?4",
		    "sisssddstss", row->key, row->turn, row->group_folder, row->chat_jid,
		    kinds[row->kind], row->part, row->parts, row->content, now,
		    actions[row->action], row->target) < 0)
		return -1;
	if (ret_added)
		*ret_added = store_changes(store) > 0;
	return 0;
}

int outbox_find(struct store *store, const char *key, int64_t *ret_id, struct error *err)
{
	return query_number(
		store, 0, ret_id, err, "SELECT id FROM outbox WHERE key = ?", "s", key);
}

#define OUTBOX_COLUMNS                                                                         \
	"SELECT o.id, o.key, o.turn, t.last_seq, o.group_folder, o.chat_jid, o.kind, o.part,"  \
	" o.parts, o.content, o.attempts, o.not_before, o.thread, o.reply_to, o.action,"       \
	" o.target, o.created_at FROM outbox o LEFT JOIN turns t ON t.id = o.turn"

/*
 * A text waits for all before it, except files that failed and wait for their next attempt: it
 * passes them, but no other text. Those are all before the first other row.
 */
int outbox_next(struct store *store, const char *chat_jid, int64_t now,
	struct outbox_row *ret_row, struct error *err)
{
	if (query_row(store, &outbox_row_type, ret_row, err,
		    OUTBOX_COLUMNS
		    " WHERE o.chat_jid = ?1 AND o.state = 'waiting' AND o.id <= coalesce("
		    "(SELECT f.id FROM outbox f WHERE f.chat_jid = ?1 AND f.state = 'waiting'"
		    " AND NOT (f.attempts AND EXISTS (SELECT 1 FROM attachments a WHERE a.outbox = f.id))"
		    " ORDER BY f.id LIMIT 1), o.id)"
		    " ORDER BY max(coalesce(o.not_before, ''), ?2), o.attempts > 0, o.id LIMIT 1",
		    "st", chat_jid, now) < 0)
		return -1;
	return attachments_of_text(store, ret_row->id, &ret_row->attachments, err);
}

int outbox_of_key(struct store *store, const char *key, bool waiting,
	struct outbox_row *ret_row, struct error *err)
{
	if (query_row(store, &outbox_row_type, ret_row, err,
		    OUTBOX_COLUMNS " WHERE o.key = ? AND o.state IN ('waiting', ?)", "ss", key,
		    waiting ? "waiting" : "sent") < 0)
		return -1;
	return attachments_of_text(store, ret_row->id, &ret_row->attachments, err);
}

int outbox_last_receipt(struct store *store, const char *folder, const char *chat_jid,
	char **ret_receipt, struct error *err)
{
	return query_string(store, ret_receipt, err,
		"SELECT iif(parts = 1, receipt, NULL) FROM outbox WHERE group_folder = ?"
		" AND chat_jid = ? AND action IS NULL AND state = 'sent'"
		" AND kind IN ('answer', 'message') ORDER BY id DESC LIMIT 1",
		"ss", folder, chat_jid);
}

int outbox_newest(struct store *store, int64_t *ret_id, struct error *err)
{
	return query_number(
		store, 0, ret_id, err, "SELECT coalesce(max(id), 0) FROM outbox", "");
}

int outbox_chats(struct store *store, struct buf *ret_chats, struct error *err)
{
	return query_lines(store, ret_chats, err,
		"SELECT chat_jid FROM outbox WHERE state = 'waiting' UNION"
		" SELECT chat_jid FROM turns WHERE state = 'claimed' AND progress IS NOT NULL",
		"");
}

/* When all rows of an answered turn are sent, its messages are delivered. */
static int finish_turn(struct store *store, int64_t turn, struct error *err)
{
	bool open;

	if (!turn)
		return 0;
	if (query_bool(store, &open, err,
		    "SELECT EXISTS (SELECT 1 FROM outbox WHERE turn = ?1 AND state <> 'sent')"
		    " OR EXISTS (SELECT 1 FROM turns WHERE id = ?1 AND state <> 'answered')",
		    "i", turn) < 0)
		return -1;
	if (open)
		return 0;
	if (query_run(store, err, "UPDATE turns SET state = 'delivered' WHERE id = ?", "i",
		    turn) < 0)
		return -1;
	return query_run(store, err, "UPDATE messages SET state = 'delivered' WHERE turn = ?",
		"i", turn);
}

int outbox_sent(struct store *store, const struct outbox_row *row, const char *receipt,
	int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"UPDATE outbox SET state = 'sent', receipt = ?, ended_at = ?,"
			" attempts = attempts + 1, not_before = NULL"
			" WHERE id = ? AND state = 'waiting'",
			"sti", receipt, now, row->id) < 0 ||
		finish_turn(store, row->turn, err) < 0)
		return -1;
	return txn_commit(&txn, "sent", err);
}

static int outbox_wait(struct store *store, const struct outbox_row *row, int attempts,
	const char *reason, int64_t not_before, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"UPDATE outbox SET attempts = attempts + ?, last_error = ?, not_before = ?"
			" WHERE id = ? AND state = 'waiting'",
			"dsti", attempts, reason, not_before, row->id) < 0)
		return -1;
	return txn_commit(&txn, "unsent", err);
}

int outbox_later(struct store *store, const struct outbox_row *row, const char *reason,
	int64_t not_before, struct error *err)
{
	return outbox_wait(store, row, 0, reason, not_before, err);
}

int outbox_failed(struct store *store, const struct outbox_row *row, const char *reason,
	int64_t not_before, struct error *err)
{
	return outbox_wait(store, row, 1, reason, not_before, err);
}

int outbox_dead(struct store *store, const struct outbox_row *row, const char *reason,
	int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"UPDATE outbox SET state = 'dead', attempts = attempts + 1,"
			" last_error = ?, ended_at = ?, not_before = NULL"
			" WHERE id = ? AND state <> 'dead'",
			"sti", reason, now, row->id) < 0)
		return -1;
	return txn_commit(&txn, "dead", err);
}

/* --- progress ------------------------------------------------------------------ */

int outbox_progress_show(struct store *store, int64_t turn, const char *text,
	int64_t not_before, struct error *err)
{
	return query_run(store, err,
		"UPDATE turns SET progress = ?,"
		" progress_not_before = max(coalesce(progress_not_before, ''), ?)"
		" WHERE id = ? AND state = 'claimed'",
		"sti", text, not_before, turn);
}

int outbox_progress_next(struct store *store, const char *chat_jid, struct outbox_row *ret_row,
	struct error *err)
{
	return query_row(store, &outbox_row_type, ret_row, err,
		"SELECT (SELECT coalesce(max(id), 0) FROM outbox),"
		" printf('%s-%d-p%d', ?2, t.id, t.progress_sent + 1), t.id, t.last_seq,"
		" t.group_folder, t.chat_jid, 'progress', 1, 1, t.progress, t.progress_attempts,"
		" t.progress_not_before, m.thread,"
		" CASE WHEN c.is_group AND t.progress_receipt IS NULL THEN m.id END,"
		" iif(t.progress_receipt IS NULL, NULL, 'edit'), t.progress_receipt, t.created_at"
		" FROM turns t LEFT JOIN messages m ON m.seq = t.last_seq"
		" LEFT JOIN chats c ON c.jid = t.chat_jid"
		" WHERE t.chat_jid = ?1 AND t.state = 'claimed' AND t.progress IS NOT NULL"
		" AND t.group_folder NOT IN " GROUPS_IN_BIN,
		"ss", chat_jid, store_installation(store));
}

int outbox_progress_tried(struct store *store, const struct outbox_row *row,
	const struct progress_result *result, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	/* A newer text may wait already. The message stays where its first text was sent. */
	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"UPDATE turns SET progress = iif(?3, progress, nullif(progress, ?4)),"
			" progress_not_before = ?5, progress_sent = progress_sent + ?2,"
			" progress_attempts = iif(?2, 0, progress_attempts + 1),"
			" progress_receipt = ?6,"
			" progress_after = iif(?2 AND ?7, ?8, progress_after) WHERE id = ?1",
			"iddstsdi", row->turn, result->sent, result->again, row->content,
			result->not_before, result->receipt, row->action == OUTBOX_TEXT,
			row->id) < 0)
		return -1;
	return txn_commit(&txn, "progress", err);
}

int outbox_progress_message(
	struct store *store, int64_t turn, char **ret_receipt, struct error *err)
{
	return query_string(store, ret_receipt, err,
		"SELECT progress_receipt FROM turns t WHERE id = ? AND NOT EXISTS (SELECT 1"
		" FROM outbox o WHERE o.id > t.progress_after AND o.chat_jid = t.chat_jid"
		" AND o.action IS NULL AND o.state = 'sent')",
		"i", turn);
}

int outbox_progress_forget(struct store *store, const struct outbox_row *row,
	bool *ret_forgotten, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 ||
		query_run(store, err,
			"UPDATE turns SET progress_receipt = NULL WHERE id = ?"
			" AND progress_receipt IS NOT NULL AND EXISTS"
			" (SELECT 1 FROM outbox WHERE id = ? AND part = 1 AND state = 'waiting')",
			"ii", row->turn, row->id) < 0)
		return -1;
	*ret_forgotten = store_changes(store) > 0;
	return txn_commit(&txn, "forgotten", err);
}
