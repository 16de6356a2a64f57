#include "ledger/attachments.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "db/query.h"

char *attachment_path(const char *group_folder, const char *file)
{
	return xasprintf(ATTACHMENT_FOLDER "/%s/%s", group_folder, file);
}

void attachment_release(struct attachment *attachment)
{
	free(attachment->group_folder);
	free(attachment->channel);
	free(attachment->chat_jid);
	free(attachment->kind);
	free(attachment->name);
	free(attachment->type);
	free(attachment->file);
	free(attachment->source);
	free(attachment->error);
	free(attachment->reader);
	free(attachment->text);
	free(attachment->text_error);
	*attachment = (struct attachment){0};
}

void attachment_list_release(struct attachment_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		attachment_release(&list->list[i]);
	free(list->list);
	*list = (struct attachment_list){0};
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
	" a.file, a.size, a.source, a.error, a.failures, a.state = 'pending', a.reader,"       \
	" a.text, a.text_error"                                                                \
	" FROM attachments a LEFT JOIN messages m ON m.seq = a.message "

static int attachments_read(
	struct query *q, struct attachment_list *ret_list, struct error *err)
{
	int more;

	while ((more = query_next(q, err)) > 0) {
		GROW(ret_list->list, ret_list->count, ret_list->cap);
		ret_list->list[ret_list->count++] = (struct attachment){
			.id = query_int(q, 0),
			.message = query_int(q, 1),
			.group_folder = query_copy(q, 2),
			.channel = query_copy(q, 3),
			.chat_jid = query_copy(q, 4),
			.kind = query_copy(q, 5),
			.name = query_copy(q, 6),
			.type = query_copy(q, 7),
			.file = query_copy(q, 8),
			.size = query_int(q, 9),
			.source = query_copy(q, 10),
			.error = query_copy(q, 11),
			.failures = (int)query_int(q, 12),
			.pending = query_int(q, 13),
			.reader = query_copy(q, 14),
			.text = query_copy(q, 15),
			.text_error = query_copy(q, 16),
		};
	}
	return more;
}

int attachments_of_message(
	struct store *store, int64_t seq, struct attachment_list *ret_list, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err, "SELECT " COLUMNS "WHERE a.message = ? ORDER BY a.id",
		    "i", seq) < 0)
		return -1;
	return attachments_read(&q, ret_list, err);
}

int attachments_of_text(struct store *store, int64_t outbox, struct attachment_list *ret_list,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err, "SELECT " COLUMNS "WHERE a.outbox = ? ORDER BY a.id",
		    "i", outbox) < 0)
		return -1;
	return attachments_read(&q, ret_list, err);
}

int attachments_to_fetch(struct store *store, int64_t now, int max,
	struct attachment_list *ret_list, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT " COLUMNS "WHERE a.id IN (SELECT min(id) FROM attachments"
		    " WHERE state = 'pending' AND coalesce(not_before, '') <= ?"
		    " GROUP BY group_folder) ORDER BY a.id LIMIT ?",
		    "td", now, max) < 0)
		return -1;
	return attachments_read(&q, ret_list, err);
}

#define IS_UNREAD "reader IS NOT NULL AND text IS NULL AND text_error IS NULL"

int attachments_to_read(struct store *store, int64_t now, const char *folder, int max,
	struct attachment_list *ret_list, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT " COLUMNS "WHERE a.id IN (SELECT min(id) FROM attachments"
		    " WHERE " IS_UNREAD " AND state = 'stored'"
		    " AND coalesce(not_before, '') <= ? GROUP BY group_folder)"
		    " ORDER BY a.group_folder <= coalesce(?, ''), a.group_folder LIMIT ?",
		    "tsd", now, folder, max) < 0)
		return -1;
	return attachments_read(&q, ret_list, err);
}

int attachments_next_time(struct store *store, int64_t *ret_time, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT min(at) FROM (SELECT min(held_until) AS at FROM messages"
		    " WHERE held_until IS NOT NULL UNION ALL SELECT min(not_before)"
		    " FROM attachments WHERE state = 'pending' UNION ALL SELECT min(not_before)"
		    " FROM attachments WHERE " IS_UNREAD " AND state = 'stored')",
		    "") < 0)
		return -1;
	more = query_next(&q, err);
	if (more < 0)
		return -1;
	*ret_time = more ? query_time(&q, 0) : 0;
	return 0;
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
	int64_t known;

	if (query_number(store, 0, &known, err,
		    "SELECT EXISTS (SELECT 1 FROM attachments WHERE group_folder = ?"
		    " AND file = ?)",
		    "ss", folder, file) < 0)
		return -1;
	*ret_known = known;
	return 0;
}

int attachments_to_drop(struct store *store, int64_t before, int64_t bytes, int max,
	struct attachment_list *ret_list, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT group_folder, file FROM (SELECT *, sum(size) OVER"
		    " (PARTITION BY group_folder ORDER BY newest DESC, file) AS bytes FROM"
		    " (SELECT group_folder, file, max(added_at) AS newest, max(size) AS size,"
		    "  max(" IS_NEEDED ") AS needed"
		    "  FROM attachments a WHERE file IS NOT NULL GROUP BY group_folder, file))"
		    " WHERE NOT needed AND (newest < ? OR bytes > ?) LIMIT ?",
		    "tid", before, bytes, max) < 0)
		return -1;
	while ((more = query_next(&q, err)) > 0) {
		GROW(ret_list->list, ret_list->count, ret_list->cap);
		ret_list->list[ret_list->count++] = (struct attachment){
			.group_folder = query_copy(&q, 0), .file = query_copy(&q, 1)};
	}
	return more;
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
