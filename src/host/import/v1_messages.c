#include <jansson.h>
#include <sqlite3.h>
#include <string.h>

#include "channels/channel.h"
#include "channels/local/local.h"
#include "db/query.h"
#include "format/json.h"
#include "host/import/v1.h"
#include "ledger/chats.h"
#include "time/timestamp.h"

/* No chat: when that program last asked for the names of groups. */
#define SYNC_NOTE "__group_sync__"

/* Taking the messages: the statements, and the cursors of the old program. */
struct taking {
	struct v1 *v1;
	struct store *store;
	const struct v1_group_list *groups;
	struct v1_report *report;
	json_t *cursors; /* JID to time; or NULL */
	size_t empty;
	size_t broken;
};

/* --- chats ------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
	return view_ends_with(view_of(text), end);
}

/* How that program filled the column from a JID when it was added. */
static const char *channel_by_jid(const char *jid)
{
	if (ends_with(jid, "@g.us") || ends_with(jid, "@s.whatsapp.net") ||
		ends_with(jid, "@lid"))
		return "whatsapp";
	if (!strncmp(jid, "dc:", 3))
		return "discord";
	if (!strncmp(jid, "tg:", 3))
		return "telegram";
	return strncmp(jid, "slack:", 6) ? "" : "slack";
}

static enum chat_kind kind_by_jid(const char *jid, int is_group)
{
	if (is_group == 1 || ends_with(jid, "@g.us"))
		return CHAT_GROUP;
	if (ends_with(jid, "@s.whatsapp.net") || ends_with(jid, "@lid"))
		return CHAT_DIRECT;
	return is_group == 0 ? CHAT_DIRECT : CHAT_UNKNOWN;
}

static int take_chat(struct taking *t, const char *jid, const char *name, const char *time,
	const char *channel, int is_group, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	bool registered = false;
	int64_t ms = 0;
	int64_t there;

	if (!strcmp(jid, SYNC_NOTE))
		return 0;
	if (group_check_jid(jid, &ignored) < 0) {
		v1_leave_out(t->report, "its JID is not valid", "chat '%s'", jid);
		return 0;
	}
	if (query_number(t->store, 0, &there, err, "SELECT 1 FROM chats WHERE jid = ?", "s",
		    jid) < 0)
		return -1;
	if (there)
		return 0;
	for (size_t i = 0; i < t->groups->count; i++)
		registered |= !strcmp(t->groups->list[i].group.jid, jid);
	timestamp_parse(view_of(time), &ms, &ignored);
	if (store_chat_note(t->store, jid, *name && strcmp(name, jid) != 0 ? name : NULL,
		    *channel ? channel : channel_by_jid(jid), kind_by_jid(jid, is_group), ms,
		    registered, err) < 0)
		return -1;
	t->report->chats++;
	return 0;
}

static int take_chats(struct taking *t, struct error *err)
{
	bool newer = v1_has(t->v1, "chats", "channel") && v1_has(t->v1, "chats", "is_group");
	CLEANUP(v1_finalizep)
	sqlite3_stmt *rows = v1_prepare(t->v1,
		xasprintf("SELECT jid, name, last_message_time, %s FROM chats"
			  " ORDER BY last_message_time DESC, jid",
			newer ? "channel, coalesce(is_group, -1)" : "NULL, -1"),
		err);
	int step;

	if (!rows)
		return -1;
	while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
		CLEANUP(freep) char *jid = xstrdup(v1_text(rows, 0));
		CLEANUP(freep) char *name = v1_name(rows, 1);

		if (take_chat(t, jid, name, v1_text(rows, 2), v1_text(rows, 3),
			    sqlite3_column_int(rows, 4), err) < 0)
			return -1;
	}
	if (step != SQLITE_DONE)
		return v1_fail(t->v1, err);
	/* A group without messages. */
	for (size_t i = 0; i < t->groups->count; i++)
		if (take_chat(t, t->groups->list[i].group.jid, "", "", "", -1, err) < 0)
			return -1;
	return 0;
}

/* --- cursors ----------------------------------------------------------------- */

static int read_cursors(struct taking *t, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(v1_finalizep) sqlite3_stmt *rows = NULL;

	if (!v1_has(t->v1, "router_state", "value"))
		return 0;
	rows = v1_prepare(t->v1,
		xstrdup("SELECT value FROM router_state WHERE key = 'last_agent_timestamp'"),
		err);
	if (!rows)
		return -1;
	/* Like that program: an unreadable value is not a cursor. */
	if (sqlite3_step(rows) == SQLITE_ROW)
		json_read(view_of(v1_text(rows, 0)), "router_state", JSON_MAX_SIZE, &t->cursors,
			&ignored);
	return 0;
}

/* The time of the last message that was answered in a chat; else of its last answer. */
static int cursor_of(struct taking *t, const char *jid, char **ret_time, struct error *err)
{
	const char *text = json_string_value(json_object_get(t->cursors, jid));
	CLEANUP(v1_finalizep) sqlite3_stmt *rows = NULL;

	if (text && *text) {
		*ret_time = xstrdup(text);
		return 0;
	}
	if (!v1_has(t->v1, "messages", "is_bot_message")) {
		*ret_time = xstrdup("9999");
		return 0;
	}
	rows = v1_prepare(t->v1,
		xstrdup("SELECT max(timestamp) FROM messages WHERE chat_jid = ?"
			" AND is_bot_message = 1"),
		err);
	if (!rows)
		return -1;
	sqlite3_bind_text(rows, 1, jid, -1, SQLITE_TRANSIENT);
	*ret_time = xstrdup(sqlite3_step(rows) == SQLITE_ROW ? v1_text(rows, 0) : "");
	return 0;
}

/* --- messages ---------------------------------------------------------------- */

static int take_message(struct taking *t, sqlite3_stmt *row, const struct v1_group *group,
	const char *channel, const char *cursor, struct error *err)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *id = xstrdup(v1_text(row, 0));
	CLEANUP(freep) char *sender = xstrdup(v1_text(row, 1));
	CLEANUP(freep) char *name = v1_name(row, 2);
	CLEANUP(freep) char *content = v1_written(row, 3);
	CLEANUP(freep) char *written = xstrdup(v1_text(row, 4));
	bool by_assistant = sqlite3_column_int(row, 6);
	int64_t ms;

	if (!*content && !sqlite3_column_bytes(row, 3)) {
		t->empty++;
		return 0;
	}
	if (!*id || strlen(id) > CHANNEL_MAX_ID || strlen(sender) > CHANNEL_MAX_ID ||
		!*content || timestamp_parse(view_of(written), &ms, &ignored) < 0 || !ms) {
		t->broken++;
		return 0;
	}
	if (query_run(t->store, err,
		    "INSERT OR IGNORE INTO messages (id, chat_jid, sender, sender_name, content,"
		    " timestamp, is_from_me, channel, group_folder, received_at, wants_answer,"
		    " state) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?6, 0, ?10)",
		    "ssssstdsss", id, group->group.jid, sender, *name ? name : sender, content,
		    ms, by_assistant || sqlite3_column_int(row, 5), channel,
		    group->group.folder,
		    by_assistant || strcmp(written, cursor) <= 0 ? "delivered" : "received") <
		0)
		return -1;
	t->report->messages += (size_t)store_changes(t->store);
	return 0;
}

static int take_group_messages(
	struct taking *t, const struct v1_group *group, struct error *err)
{
	CLEANUP(freep) char *cursor = NULL;
	CLEANUP(freep) char *channel = NULL;
	CLEANUP(v1_finalizep)
	sqlite3_stmt *rows = v1_prepare(t->v1,
		xasprintf("SELECT id, sender, sender_name, content, timestamp,"
			  " is_from_me, %s FROM messages WHERE chat_jid = ?"
			  " ORDER BY timestamp, rowid",
			v1_has(t->v1, "messages", "is_bot_message") ? "is_bot_message" : "0"),
		err);
	int step;

	if (!rows || cursor_of(t, group->group.jid, &cursor, err) < 0 ||
		query_string(t->store, &channel, err, "SELECT channel FROM chats WHERE jid = ?",
			"s", group->group.jid) < 0)
		return -1;
	/* What that program stored does not come from our terminal. */
	if (!strcmp(channel, LOCAL_CHANNEL)) {
		free(channel);
		channel = xstrdup("v1");
	}
	sqlite3_bind_text(rows, 1, group->group.jid, -1, SQLITE_TRANSIENT);
	while ((step = sqlite3_step(rows)) == SQLITE_ROW)
		if (take_message(t, rows, group, channel, cursor, err) < 0)
			return -1;
	if (step != SQLITE_DONE)
		return v1_fail(t->v1, err);
	return query_run(t->store, err,
		"INSERT INTO cursors (chat_jid, seq)"
		" SELECT ?1, max(seq) FROM messages WHERE chat_jid = ?1 AND turn IS NULL"
		" AND state = 'delivered' HAVING max(seq) IS NOT NULL"
		" ON CONFLICT (chat_jid) DO UPDATE SET seq = max(seq, excluded.seq)",
		"s", group->group.jid);
}

int v1_take_messages(struct v1 *v1, struct store *store, const struct v1_group_list *groups,
	struct v1_report *report, struct error *err)
{
	struct taking t = {v1, store, groups, report};
	int result = take_chats(&t, err) < 0 || read_cursors(&t, err) < 0 ? -1 : 0;

	for (size_t i = 0; i < groups->count && result == 0; i++)
		result = take_group_messages(&t, &groups->list[i], err);
	json_decref(t.cursors);
	if (t.empty)
		v1_leave_out(report, "without a text", "%zu message%s", t.empty,
			t.empty == 1 ? "" : "s");
	if (t.broken)
		v1_leave_out(report, "without an id or a time, or not in UTF-8",
			"%zu message%s", t.broken, t.broken == 1 ? "" : "s");
	return result;
}
