#include "ledger/attachments.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "db/check.h"
#include "db/query.h"

char *attachment_path(const char *group_folder, const char *file)
{
	return xasprintf(ATTACHMENT_FOLDER "/%s/%s", group_folder, file);
}

static const struct row_column attachment_columns[] = {
	ROW_COLUMN(struct attachment, id),
	ROW_COLUMN(struct attachment, message),
	ROW_COLUMN(struct attachment, group_folder),
	ROW_COLUMN(struct attachment, channel),
	ROW_COLUMN(struct attachment, chat_jid),
	ROW_COLUMN(struct attachment, kind),
	ROW_COLUMN(struct attachment, name),
	ROW_COLUMN(struct attachment, type),
	ROW_COLUMN(struct attachment, file),
	ROW_COLUMN(struct attachment, size),
	ROW_COLUMN(struct attachment, source),
	ROW_COLUMN(struct attachment, error),
	ROW_COLUMN(struct attachment, failures),
	ROW_COLUMN(struct attachment, pending),
	ROW_COLUMN(struct attachment, reader),
	ROW_COLUMN(struct attachment, text),
	ROW_COLUMN(struct attachment, text_error),
	{0},
};

static const struct row_type attachment_row_type = {
	sizeof(struct attachment), attachment_columns};

void attachment_release(struct attachment *attachment)
{
	row_release(&attachment_row_type, attachment);
}

void attachment_list_release(struct attachment_list *list)
{
	rows_release(&attachment_row_type, list);
}

int attachment_add(
	struct store *store, const struct attachment_row *row, int64_t now, struct error *err)
{
	const struct attachment_arrival *about = row->about;
	const char *state = row->file || about->text ? "stored"
			    : about->source          ? "pending"
						     : "missing";

	return query_run(store, err,
		"INSERT INTO attachments (message, outbox, group_folder, kind, name, type, size,"
		" source, state, file, error, reader, added_at, text)"
		" VALUES (nullif(?, 0), nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"iissssisssssts", row->message, row->outbox, row->group_folder, about->kind,
		about->name, about->type, row->size, row->file ? NULL : about->source, state,
		row->file, row->error, row->reader, now, about->text);
}

#define COLUMNS                                                                                \
	"a.id, a.message, a.group_folder, m.channel, m.chat_jid, a.kind, a.name, a.type,"      \
	" iif(" STORED_BAD_FILE(                                                               \
		"a.file") ", NULL, a.file), a.size, a.source, a.error,"                        \
			  " a.failures, a.state = 'pending', a.reader,"                        \
			  " a.text, a.text_error"                                              \
			  " FROM attachments a LEFT JOIN messages m ON m.seq = a.message "

int attachments_of_message(
	struct store *store, int64_t seq, struct attachment_list *ret_list, struct error *err)
{
	return query_rows(store, &attachment_row_type, ret_list, err,
		"SELECT " COLUMNS "WHERE a.message = ? ORDER BY a.id", "i", seq);
}

int attachments_of_text(struct store *store, int64_t outbox, struct attachment_list *ret_list,
	struct error *err)
{
	return query_rows(store, &attachment_row_type, ret_list, err,
		"SELECT " COLUMNS "WHERE a.outbox = ? ORDER BY a.id", "i", outbox);
}

int attachments_to_fetch(struct store *store, int64_t now, int max,
	struct attachment_list *ret_list, struct error *err)
{
	return query_rows(store, &attachment_row_type, ret_list, err,
		"SELECT " COLUMNS "WHERE a.id IN (SELECT min(id) FROM attachments"
		" WHERE state = 'pending' AND coalesce(not_before, '') <= ?"
		" GROUP BY group_folder) ORDER BY a.id LIMIT ?",
		"td", now, max);
}

#define IS_UNREAD "reader IS NOT NULL AND text IS NULL AND text_error IS NULL"

int attachments_to_read(struct store *store, int64_t now, const char *folder, int max,
	struct attachment_list *ret_list, struct error *err)
{
	return query_rows(store, &attachment_row_type, ret_list, err,
		"SELECT " COLUMNS "WHERE a.id IN (SELECT min(id) FROM attachments"
		" WHERE " IS_UNREAD " AND state = 'stored' AND NOT " STORED_BAD_FILE(
			"file") " AND coalesce(not_before, '') <= ? GROUP BY group_folder)"
				" ORDER BY a.group_folder <= coalesce(?, ''), a.group_folder LIMIT ?",
		"tsd", now, folder, max);
}

int attachments_next_time(struct store *store, int64_t *ret_time, struct error *err)
{
	return query_moment(store, 0, ret_time, err,
		"SELECT min(at) FROM (SELECT min(held_until) AS at FROM messages"
		" WHERE held_until IS NOT NULL UNION ALL SELECT min(not_before)"
		" FROM attachments WHERE state = 'pending' UNION ALL SELECT min(not_before)"
		" FROM attachments WHERE " IS_UNREAD " AND state = 'stored')",
		"");
}

int attachment_stored(
	struct store *store, int64_t id, const char *file, int64_t size, struct error *err)
{
	return query_run(store, err,
		"UPDATE attachments SET state = 'stored', file = ?, size = ?, source = NULL,"
		" error = NULL, not_before = NULL, failures = 0 WHERE id = ? AND state = 'pending'",
		"sii", file, size, id);
}

int attachment_missing(struct store *store, int64_t id, const char *reason, struct error *err)
{
	return query_run(store, err,
		"UPDATE attachments SET state = 'missing', error = ?, not_before = NULL"
		" WHERE id = ? AND state = 'pending'",
		"si", reason, id);
}

int attachment_later(struct store *store, int64_t id, bool failed, const char *reason,
	int64_t not_before, struct error *err)
{
	return query_run(store, err,
		"UPDATE attachments SET failures = failures + ?, error = ?, not_before = ?"
		" WHERE id = ? AND state = 'pending'",
		"dsti", failed, reason, not_before, id);
}

int attachment_read(struct store *store, const struct attachment *attachment, const char *text,
	struct error *err)
{
	if (query_run(store, err,
		    "UPDATE attachments SET text = ?, text_error = NULL, not_before = NULL"
		    " WHERE id = ?",
		    "si", text, attachment->id) < 0)
		return -1;
	return query_run(store, err,
		"UPDATE attachments SET text = NULL, text_error = 'it was deleted to make room'"
		" WHERE group_folder = ? AND text IS NOT NULL AND id <= (SELECT id"
		" FROM attachments WHERE group_folder = ? AND text IS NOT NULL"
		" ORDER BY id DESC LIMIT 1 OFFSET ?)",
		"ssd", attachment->group_folder, attachment->group_folder,
		ATTACHMENT_MAX_TEXTS);
}

int attachment_unreadable(
	struct store *store, int64_t id, const char *reason, struct error *err)
{
	return query_run(store, err,
		"UPDATE attachments SET text_error = ?, not_before = NULL WHERE id = ?", "si",
		reason, id);
}

int attachment_read_later(
	struct store *store, int64_t id, int64_t not_before, struct error *err)
{
	return query_run(store, err,
		"UPDATE attachments SET failures = failures + 1, not_before = ? WHERE id = ?",
		"ti", not_before, id);
}

int message_hold(struct store *store, int64_t seq, int64_t until, struct error *err)
{
	return query_run(store, err, "UPDATE messages SET held_until = ? WHERE seq = ?", "ti",
		until, seq);
}

#define NEED_NOT_WAIT                                                                          \
	"held_until IS NOT NULL AND (held_until <= ? OR NOT EXISTS (SELECT 1"                  \
	" FROM attachments a WHERE a.message = seq AND (a.state = 'pending' OR"                \
	" (a.state = 'stored' AND " IS_UNREAD "))))"

int messages_unhold(
	struct store *store, int64_t now, struct buf *ret_folders, struct error *err)
{
	if (query_lines(store, ret_folders, err,
		    "SELECT DISTINCT group_folder FROM messages WHERE " NEED_NOT_WAIT, "t",
		    now) < 0)
		return -1;
	if (!ret_folders->len)
		return 0;
	if (query_run(store, err, "UPDATE messages SET held_until = NULL WHERE " NEED_NOT_WAIT,
		    "t", now) < 0)
		return -1;
	return query_run(store, err,
		"UPDATE attachments SET text_error = 'it was not read in time'"
		" WHERE " IS_UNREAD " AND NOT EXISTS (SELECT 1 FROM messages m"
		" WHERE m.seq = message AND m.held_until IS NOT NULL)",
		"");
}

/* --- retention --------------------------------------------------------------- */

/* A message waits for its answer, or a text to be sent. */
#define IS_NEEDED                                                                              \
	"(EXISTS (SELECT 1 FROM messages m WHERE m.seq = a.message AND"                        \
	"  (m.state = 'claimed' OR (m.state = 'received' AND m.wants_answer = 1)))"            \
	" OR EXISTS (SELECT 1 FROM outbox o WHERE o.id = a.outbox AND o.state = 'waiting'))"

int attachment_bytes(struct store *store, const char *folder, bool needed, int64_t *ret_bytes,
	struct error *err)
{
	return query_number(store, 0, ret_bytes, err,
		"SELECT coalesce(sum(size), 0) FROM (SELECT max(size) AS size FROM attachments a"
		" WHERE group_folder = ? AND file IS NOT NULL AND (NOT ? OR " IS_NEEDED ")"
		" GROUP BY file)",
		"sd", folder, needed);
}

int attachment_waiting_bytes(
	struct store *store, const char *folder, int64_t *ret_bytes, struct error *err)
{
	return query_number(store, 0, ret_bytes, err,
		"SELECT coalesce(sum(a.size), 0) FROM outbox o JOIN attachments a"
		" ON a.outbox = o.id WHERE o.group_folder = ? AND o.state = 'waiting'",
		"s", folder);
}

int attachment_is_known(struct store *store, const char *folder, const char *file,
	bool *ret_known, struct error *err)
{
	return query_bool(store, ret_known, err,
		"SELECT EXISTS (SELECT 1 FROM attachments WHERE group_folder = ? AND file = ?)",
		"ss", folder, file);
}

int attachments_to_drop(struct store *store, int64_t before, int64_t bytes, int max,
	struct attachment_list *ret_list, struct error *err)
{
	static const struct row_column columns[] = {
		ROW_COLUMN(struct attachment, group_folder),
		ROW_COLUMN(struct attachment, file),
		{0},
	};

	return query_rows(store, &(struct row_type){sizeof(struct attachment), columns},
		ret_list, err,
		"SELECT group_folder, file FROM (SELECT *, sum(size) OVER"
		" (PARTITION BY group_folder ORDER BY newest DESC, file) AS bytes FROM"
		" (SELECT group_folder, file, max(added_at) AS newest, max(size) AS size,"
		"  max(" IS_NEEDED ") AS needed"
		"  FROM attachments a WHERE file IS NOT NULL GROUP BY group_folder, file))"
		" WHERE NOT needed AND (newest < ? OR bytes > ?) LIMIT ?",
		"tid", before, bytes, max);
}

int attachment_drop(
	struct store *store, const char *folder, const char *file, struct error *err)
{
	return query_run(store, err,
		"UPDATE attachments SET state = 'missing', file = NULL, text = NULL,"
		" error = 'it was deleted to make room'"
		" WHERE group_folder = ? AND file = ?",
		"ss", folder, file);
}
