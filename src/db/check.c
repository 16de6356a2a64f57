#include "db/check.h"

#include <string.h>

#include "base/quote.h"
#include "db/query.h"
#include "proc/log.h"

void store_check_release(struct store_check *check)
{
	free(check->fault);
}

void store_troubles_release(struct store_troubles *troubles)
{
	free(troubles->failed_task);
}

/* --- is it sound? ------------------------------------------------------------ */

int store_check(struct store *store, struct store_check *ret_check, struct error *err)
{
	CLEANUP(store_check_release) struct store_check check = STORE_CHECK_INIT;

	if (query_string(store, &check.fault, err, "PRAGMA quick_check(1)", "") < 0)
		return -1;
	/* The rows of a damaged file prove nothing. */
	if (check.fault && !strcmp(check.fault, "ok")) {
		freep(&check.fault);
		check.fault = NULL;
		if (query_number(store, 0, &check.orphans, err,
			    "SELECT count(*) FROM pragma_foreign_key_check", "") < 0 ||
			query_moment(store, 0, &check.newest, err,
				"SELECT received_at FROM messages ORDER BY seq DESC LIMIT 1",
				"") < 0)
			return -1;
	}
	*ret_check = check;
	check = STORE_CHECK_INIT;
	return 0;
}

/* --- paths ------------------------------------------------------------------- */

#define FIND(table, column, bad)                                                               \
	"SELECT " column " FROM " table " WHERE " bad(column) " LIMIT 1"

#define STORED_PATH(table, column, bad, action, ...)                                           \
	{                                                                                      \
		table, column, FIND(table, column, bad), action " WHERE " bad(column),         \
			##__VA_ARGS__                                                          \
	}

const struct stored_path stored_paths[] = {
	STORED_PATH("attachments", "file", STORED_BAD_FILE,
		"UPDATE attachments SET state = 'missing', file = NULL, text = NULL,"
		" error = 'its name in the store was not valid'"),
	STORED_PATH("attempts", "session_id", STORED_BAD_SESSION,
		"UPDATE attempts SET session_id = NULL", true),
	{"registered_groups", "folder", FIND("registered_groups", "folder", STORED_BAD_FOLDER),
		NULL, false},
	STORED_PATH("removals", "folder", STORED_BAD_FOLDER, "DELETE FROM removals"),
	STORED_PATH("sessions", "session_id", STORED_BAD_SESSION, "DELETE FROM sessions", true),
	STORED_PATH("skill_definitions", "path", STORED_BAD_PATH,
		"UPDATE skill_definitions SET path = ''"),
	STORED_PATH("skill_files", "path", STORED_BAD_PATH, "DELETE FROM skill_files"),
	{0},
};

int store_set_aside(struct store *store, struct error *err)
{
	for (const struct stored_path *p = stored_paths; p->table; p++) {
		CLEANUP(freep) char *value = NULL;
		CLEANUP(freep) char *shown = NULL;

		if (!p->aside)
			continue;
		if (query_string(store, &value, err, p->find, "") < 0)
			return -1;
		if (!value)
			continue;
		if (query_run(store, err, p->aside, "") < 0)
			return -1;
		shown = quote(view_of(value));
		log_warning("the store has %s as %s.%s, which leads elsewhere: %d row%s set "
			    "aside",
			shown, p->table, p->column, store_changes(store),
			store_changes(store) == 1 ? " was" : "s were");
	}
	return 0;
}

/* --- warnings ---------------------------------------------------------------- */

int store_troubles(struct store *store, int64_t since, int64_t before,
	struct store_troubles *ret_troubles, struct error *err)
{
	static const struct row_column columns[] = {
		ROW_COLUMN(struct store_troubles, dead),
		ROW_COLUMN(struct store_troubles, dead_turn),
		ROW_COLUMN(struct store_troubles, old_turns),
		ROW_COLUMN(struct store_troubles, old_turn),
		ROW_COLUMN(struct store_troubles, failed_tasks),
		ROW_COLUMN(struct store_troubles, failed_task),
		ROW_COLUMN(struct store_troubles, retried),
		{0},
	};

	return query_row(store, &(struct row_type){sizeof(*ret_troubles), columns},
		ret_troubles, err,
		"SELECT * FROM"
		" (SELECT count(*), max(turn) FROM outbox WHERE state = 'dead' AND ended_at >= ?),"
		" (SELECT count(*), min(id) FROM turns WHERE state = 'claimed' AND created_at < ?),"
		" (SELECT count(*), min(id) FROM scheduled_tasks WHERE status = 'active'"
		"  AND (SELECT outcome FROM task_runs WHERE task_id = scheduled_tasks.id"
		"  AND ended_at IS NOT NULL ORDER BY task_runs.id DESC LIMIT 1) = 'failed'),"
		" (SELECT count(*) FROM outbox WHERE state = 'waiting' AND attempts >= 3)",
		"tt", since, before);
}
