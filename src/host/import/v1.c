#include "host/import/v1.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"
#include "channels/channel.h"
#include "db/query.h"
#include "ledger/chats.h"
#include "ledger/groups.h"

struct v1 {
	sqlite3 *db;
};

void v1_group_list_release(struct v1_group_list *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		free(groups->list[i].from);
		group_release(&groups->list[i].group);
	}
	free(groups->list);
	*groups = (struct v1_group_list){0};
}

void v1_report_release(struct v1_report *report)
{
	for (size_t i = 0; i < report->omission_count; i++) {
		free(report->omissions[i].what);
		free(report->omissions[i].reason);
	}
	free(report->omissions);
	*report = (struct v1_report){0};
}

void v1_leave_out(struct v1_report *report, const char *reason, const char *format, ...)
{
	CLEANUP(buf_release) struct buf what = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&what, format, args);
	va_end(args);
	GROW(report->omissions, report->omission_count, report->omission_cap);
	report->omissions[report->omission_count++] =
		(struct v1_omission){buf_take(&what), xstrdup(reason)};
}

/* --- the database ------------------------------------------------------------ */

int v1_fail(struct v1 *v1, struct error *err)
{
	return error_set(err, ERROR_INVALID, "the database of the old NanoClaw: %s",
		sqlite3_errmsg(v1->db));
}

void v1_freep(struct v1 **v1)
{
	if (*v1)
		sqlite3_close((*v1)->db);
	free(*v1);
	*v1 = NULL;
}

sqlite3_stmt *v1_prepare(struct v1 *v1, char *sql, struct error *err)
{
	CLEANUP(freep) char *owned = sql;
	sqlite3_stmt *statement = NULL;

	if (sqlite3_prepare_v2(v1->db, owned, -1, &statement, NULL) == SQLITE_OK)
		return statement;
	v1_fail(v1, err);
	return NULL;
}

void v1_finalizep(sqlite3_stmt **statement)
{
	sqlite3_finalize(*statement);
}

const char *v1_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);
	size_t len = (size_t)sqlite3_column_bytes(statement, column);

	if (!text || strlen(text) != len || !utf8_valid((struct view){text, len}))
		return "";
	return text;
}

static char *v1_cut(sqlite3_stmt *statement, int column, size_t max)
{
	const char *text = v1_text(statement, column);
	size_t len = strlen(text);

	if (len > max)
		for (len = max; (text[len] & 0xc0) == 0x80;)
			len--;
	return xmemdupz(text, len);
}

char *v1_written(sqlite3_stmt *statement, int column)
{
	return v1_cut(statement, column, CHANNEL_MAX_TEXT);
}

char *v1_name(sqlite3_stmt *statement, int column)
{
	char *name = v1_cut(statement, column, GROUP_NAME_MAX);

	for (char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	return name;
}

bool v1_has(struct v1 *v1, const char *table, const char *column)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(v1_finalizep)
	sqlite3_stmt *statement = v1_prepare(v1,
		xstrdup("SELECT 1 FROM sqlite_schema s, pragma_table_info(s.name) c"
			" WHERE s.type = 'table' AND s.name = ?1 AND (?2 IS NULL OR c.name = ?2)"),
		&ignored);

	if (!statement)
		return false;
	sqlite3_bind_text(statement, 1, table, -1, SQLITE_TRANSIENT);
	sqlite3_bind_text(statement, 2, column, -1, SQLITE_TRANSIENT);
	return sqlite3_step(statement) == SQLITE_ROW;
}

static int check_database(struct v1 *v1, struct error *err)
{
	CLEANUP(v1_finalizep)
	sqlite3_stmt *statement = v1_prepare(v1, xstrdup("PRAGMA integrity_check(1)"), err);

	if (!statement)
		return -1;
	if (sqlite3_step(statement) != SQLITE_ROW)
		return v1_fail(v1, err);
	if (strcmp(v1_text(statement, 0), "ok") != 0)
		return error_set(
			err, ERROR_INVALID, "the database of the old NanoClaw is damaged");
	if (!v1_has(v1, "registered_groups", "folder") || !v1_has(v1, "chats", "jid") ||
		!v1_has(v1, "messages", "chat_jid")) {
		error_set(err, ERROR_INVALID,
			"the database is not that of a NanoClaw v1: it has no registered groups");
		return error_hint(err,
			"if it is older, start the old NanoClaw once: it migrates its own database");
	}
	return 0;
}

int v1_open(const char *path, struct v1 **ret_v1, struct error *err)
{
	CLEANUP(v1_freep) struct v1 *v1 = xcalloc(1, sizeof(*v1));

	if (sqlite3_open_v2(path, &v1->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
		SQLITE_OK)
		return v1_fail(v1, err);
	sqlite3_db_config(v1->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(v1->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(v1->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	if (check_database(v1, err) < 0)
		return -1;
	*ret_v1 = TAKE(v1);
	return 0;
}

/* --- groups ------------------------------------------------------------------ */

int v1_groups(struct v1 *v1, struct v1_group_list *ret_groups, struct error *err)
{
	CLEANUP(v1_group_list_release) struct v1_group_list groups = {0};
	CLEANUP(v1_finalizep)
	sqlite3_stmt *rows = v1_prepare(v1,
		xasprintf("SELECT jid, name, folder, trigger_pattern, added_at,"
			  " coalesce(%s, 1), %s, %s FROM registered_groups"
			  " ORDER BY added_at, jid",
			v1_has(v1, "registered_groups", "requires_trigger") ? "requires_trigger"
									    : "1",
			v1_has(v1, "registered_groups", "is_main") ? "coalesce(is_main, 0)"
								   : "folder = 'main'",
			v1_has(v1, "registered_groups", "container_config") ? "container_config"
									    : "NULL"),
		err);
	int step;

	if (!rows)
		return -1;
	while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
		GROW(groups.list, groups.count, groups.cap);
		groups.list[groups.count++] = (struct v1_group){
			.from = xstrdup(v1_text(rows, 2)),
			.group.jid = xstrdup(v1_text(rows, 0)),
			.group.name = xstrdup(v1_text(rows, 1)),
			.group.folder = xstrdup(v1_text(rows, 2)),
			.group.trigger = xstrdup(v1_text(rows, 3)),
			.group.added_at = xstrdup(v1_text(rows, 4)),
			.group.requires_trigger = sqlite3_column_int(rows, 5),
			.group.is_main = sqlite3_column_int(rows, 6),
			.has_config = *v1_text(rows, 7),
		};
	}
	if (step != SQLITE_DONE)
		return v1_fail(v1, err);
	*ret_groups = groups;
	groups = (struct v1_group_list){0};
	return 0;
}

/* The terminal's main takes the chat of the old one; others are added. */
static int take_group(struct store *store, const struct group *group, struct v1_report *report,
	struct error *err)
{
	CLEANUP(group_release) struct group by_jid = GROUP_INIT;
	CLEANUP(group_release) struct group by_folder = GROUP_INIT;

	if (store_group_owner(store, group->jid, &by_jid, err) < 0 ||
		store_group_by_folder(store, group->folder, &by_folder, err) < 0)
		return -1;
	if (by_jid.folder)
		return 0;
	report->groups++;
	if (by_folder.folder)
		return store_group_rebind(
			store, group->folder, group->jid, group->name, NULL, err);
	return store_group_add(store, group, err);
}

/* --- what is left out -------------------------------------------------------- */

static int report_rest(struct v1 *v1, struct v1_report *report, struct error *err)
{
	bool has_sessions = v1_has(v1, "sessions", NULL);
	CLEANUP(v1_finalizep)
	sqlite3_stmt *sessions = v1_prepare(
		v1, xstrdup(has_sessions ? "SELECT count(*) FROM sessions" : "SELECT 0"), err);
	CLEANUP(v1_finalizep)
	sqlite3_stmt *tables = v1_prepare(v1,
		xstrdup("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
			" AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT IN ('chats',"
			" 'messages', 'registered_groups', 'router_state', 'scheduled_tasks',"
			" 'sessions', 'task_run_logs') ORDER BY name"),
		err);
	int count, step;

	if (!sessions || !tables)
		return -1;
	if (sqlite3_step(sessions) != SQLITE_ROW)
		return v1_fail(v1, err);
	count = sqlite3_column_int(sessions, 0);
	if (count)
		v1_leave_out(report,
			"conversations of Claude Code belong to a folder of the old container; new "
			"ones begin",
			"%d session%s", count, count == 1 ? "" : "s");
	while ((step = sqlite3_step(tables)) == SQLITE_ROW)
		v1_leave_out(
			report, "it is not from NanoClaw v1", "table '%s'", v1_text(tables, 0));
	return step == SQLITE_DONE ? 0 : v1_fail(v1, err);
}

int v1_take_rows(struct v1 *v1, struct store *store, const struct v1_group_list *groups,
	const char *zone, struct v1_report *report, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0)
		return -1;
	for (size_t i = 0; i < groups->count; i++)
		if (take_group(store, &groups->list[i].group, report, err) < 0)
			return -1;
	if (v1_take_messages(v1, store, groups, report, err) < 0 ||
		v1_take_tasks(v1, store, groups, zone, report, err) < 0 ||
		report_rest(v1, report, err) < 0)
		return -1;
	return txn_commit(&txn, "import", err);
}
