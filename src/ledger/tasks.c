#include "ledger/tasks.h"

#include <string.h>

#include "base/quote.h"
#include "db/query.h"
#include "ledger/groups.h"

static const char *const statuses[] = {
	[TASK_ACTIVE] = "active",
	[TASK_PAUSED] = "paused",
	[TASK_COMPLETED] = "completed",
	[TASK_CANCELLED] = "cancelled",
	NULL,
};

static const char *const policies[] = {
	[MISSED_SKIP] = "skip",
	[MISSED_ONCE] = "once",
	[MISSED_ALL] = "all",
	NULL,
};

static const char *const contexts[] = {
	[CONTEXT_GROUP] = "group",
	[CONTEXT_ISOLATED] = "isolated",
	NULL,
};

const char *task_status_name(enum task_status status)
{
	return statuses[status];
}

const char *task_missed_name(enum task_missed missed)
{
	return policies[missed];
}

const char *task_context_name(enum task_context context)
{
	return contexts[context];
}

static int parse_name(const char *const *names, const char *name, int *ret_value)
{
	for (int i = 0; names[i]; i++)
		if (!strcmp(names[i], name)) {
			*ret_value = i;
			return 0;
		}
	return -1;
}

int task_missed_parse(const char *name, enum task_missed *ret_missed, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));

	return parse_name(policies, name, (int *)ret_missed) == 0
		       ? 0
		       : error_set(err, ERROR_INVALID,
				 "missed runs can be 'skip', 'once' or 'all',"
				 " not %s",
				 shown);
}

int task_context_parse(const char *name, enum task_context *ret_context, struct error *err)
{
	CLEANUP(freep) char *shown = quote(view_of(name));

	return parse_name(contexts, name, (int *)ret_context) == 0
		       ? 0
		       : error_set(err, ERROR_INVALID,
				 "the context of a task is 'group' or 'isolated', not %s",
				 shown);
}

static const struct row_column task_columns[] = {
	ROW_COLUMN(struct task, id),
	ROW_COLUMN(struct task, group_folder),
	ROW_COLUMN(struct task, chat_jid),
	ROW_COLUMN(struct task, prompt),
	ROW_ENUM(struct task, type, schedule_type_names),
	ROW_COLUMN(struct task, value),
	ROW_COLUMN(struct task, tz),
	ROW_ENUM(struct task, missed, policies),
	ROW_ENUM(struct task, context, contexts),
	ROW_ENUM(struct task, status, statuses),
	ROW_TIME(struct task, next_run),
	ROW_TIME(struct task, anchor),
	ROW_COLUMN(struct task, created_at),
	ROW_COLUMN(struct task, last_run),
	ROW_COLUMN(struct task, last_result),
	ROW_COLUMN(struct task, key),
	{0},
};

static const struct row_type task_row_type = {sizeof(struct task), task_columns};

void task_release(struct task *task)
{
	row_release(&task_row_type, task);
}

void task_list_release(struct task_list *tasks)
{
	rows_release(&task_row_type, tasks);
}

int task_schedule(const struct task *task, struct schedule *ret_schedule, struct error *err)
{
	return schedule_parse(
		task->type, task->value, task->tz, task->anchor, ret_schedule, err);
}

/* --- changing ---------------------------------------------------------------- */

int store_task_check_room(struct store *store, const struct task *task, struct error *err)
{
	const char *id = task->id ? task->id : "";
	int64_t count, text;

	if (query_number(store, 0, &count, err,
		    "SELECT count(*) FROM scheduled_tasks WHERE group_folder = ? AND id <> ?"
		    " AND status IN ('active', 'paused')",
		    "ss", task->group_folder, id) < 0 ||
		query_number(store, 0, &text, err,
			"SELECT coalesce(sum(length(CAST(prompt AS BLOB))), 0)"
			" FROM scheduled_tasks WHERE group_folder = ? AND id <> ?"
			" AND status IN ('active', 'paused')",
			"ss", task->group_folder, id) < 0)
		return -1;
	if (count < TASKS_MAX_PER_GROUP &&
		text + (int64_t)strlen(task->prompt) <= TASKS_MAX_TEXT)
		return 0;
	if (count < TASKS_MAX_PER_GROUP)
		error_set(err, ERROR_INVALID,
			"the tasks of the group '%s' have more than 1 MiB of text",
			task->group_folder);
	else
		error_set(err, ERROR_INVALID,
			"the group '%s' has %d tasks, which is the maximum", task->group_folder,
			TASKS_MAX_PER_GROUP);
	return error_hint(err, "cancel some: 'nanoclaw task list', 'nanoclaw task cancel ID'");
}

int store_task_add(struct store *store, struct task *task, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;

	if (txn_begin(&txn, store, err) < 0 || store_task_check_room(store, task, err) < 0 ||
		query_run(store, err,
			"INSERT INTO meta (name, value) VALUES ('tasks', '1')"
			" ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
			"") < 0 ||
		query_string(store, &task->id, err,
			"SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'tasks'",
			"") < 0 ||
		query_run(store, err,
			"INSERT INTO scheduled_tasks (id, group_folder, chat_jid, prompt,"
			" schedule_type, schedule_value, tz, missed, context_mode, next_run,"
			" status, anchor, created_at, key)"
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"ssssssssststss", task->id, task->group_folder, task->chat_jid,
			task->prompt, schedule_type_name(task->type), task->value, task->tz,
			policies[task->missed], contexts[task->context], task->next_run,
			statuses[task->status], task->anchor, task->created_at, task->key) < 0)
		return -1;
	/* Tasks of user skills are kept: sync must know that a person cancelled one. */
	if (query_run(store, err,
		    "DELETE FROM scheduled_tasks WHERE status IN ('completed', 'cancelled')"
		    " AND rowid NOT IN (SELECT rowid FROM scheduled_tasks"
		    " WHERE status IN ('completed', 'cancelled') ORDER BY rowid DESC LIMIT ?)"
		    " AND coalesce(key, '') NOT LIKE 'skill:%'"
		    " AND NOT EXISTS (SELECT 1 FROM task_runs r"
		    " WHERE r.task_id = scheduled_tasks.id"
		    " AND r.outcome IN ('waiting', 'running'))",
		    "d", TASKS_MAX_ENDED) < 0)
		return -1;
	return txn_commit(&txn, "task", err);
}

int store_task_update(struct store *store, const struct task *task, struct error *err)
{
	return query_run(store, err,
		"UPDATE scheduled_tasks SET prompt = ?, schedule_type = ?, schedule_value = ?,"
		" tz = ?, missed = ?, context_mode = ?, next_run = ?, status = ?,"
		" anchor = ? WHERE id = ?",
		"sssssststs", task->prompt, schedule_type_name(task->type), task->value,
		task->tz, policies[task->missed], contexts[task->context], task->next_run,
		statuses[task->status], task->anchor, task->id);
}

/* --- reading ----------------------------------------------------------------- */

#define SELECT_TASKS                                                                            \
	"SELECT id, group_folder, chat_jid, prompt, schedule_type, schedule_value, tz, missed," \
	" context_mode, status, next_run, anchor, created_at, last_run, last_result, key"       \
	" FROM scheduled_tasks "

int store_task_get(
	struct store *store, const char *id, struct task *ret_task, struct error *err)
{
	return query_row(
		store, &task_row_type, ret_task, err, SELECT_TASKS "WHERE id = ?", "s", id);
}

int store_task_by_key(
	struct store *store, const char *key, struct task *ret_task, struct error *err)
{
	return query_row(
		store, &task_row_type, ret_task, err, SELECT_TASKS "WHERE key = ?", "s", key);
}

int store_task_list(struct store *store, const char *folder, bool ended,
	struct task_list *ret_tasks, struct error *err)
{
	return query_rows(store, &task_row_type, ret_tasks, err,
		SELECT_TASKS "WHERE (group_folder = ?1"
			     " OR ?1 IS NULL AND group_folder NOT IN " GROUPS_IN_BIN ")"
			     " AND (?2 OR status IN ('active', 'paused')) ORDER BY rowid",
		"sd", folder, ended);
}

int store_task_due(struct store *store, int64_t now, int max, struct task_list *ret_tasks,
	struct error *err)
{
	return query_rows(store, &task_row_type, ret_tasks, err,
		SELECT_TASKS "WHERE status = 'active' AND next_run <= ?"
			     " AND group_folder NOT IN " GROUPS_IN_BIN
			     " ORDER BY next_run, rowid LIMIT ?",
		"td", now, max);
}

int store_task_nearest(struct store *store, int64_t *ret_time, struct error *err)
{
	return query_moment(store, INT64_MAX, ret_time, err,
		"SELECT next_run FROM scheduled_tasks WHERE status = 'active'"
		" AND next_run IS NOT NULL AND group_folder NOT IN " GROUPS_IN_BIN
		" ORDER BY next_run LIMIT 1",
		"");
}
