#include "ledger/tasks.h"

#include <string.h>

#include "base/quote.h"
#include "db/query.h"

static const char *const statuses[] = {
	[TASK_ACTIVE] = "active",
	[TASK_PAUSED] = "paused",
	[TASK_COMPLETED] = "completed",
	[TASK_CANCELLED] = "cancelled",
};

static const char *const policies[] = {
	[MISSED_SKIP] = "skip",
	[MISSED_ONCE] = "once",
	[MISSED_ALL] = "all",
};

static const char *const contexts[] = {
	[CONTEXT_GROUP] = "group",
	[CONTEXT_ISOLATED] = "isolated",
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

/* -1 if there is no such name. */
static int index_of(const char *const *names, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(names[i], name))
			return (int)i;
	return -1;
}

int task_missed_parse(const char *name, enum task_missed *ret_missed, struct error *err)
{
	int index = index_of(policies, ARRAY_SIZE(policies), name);

	if (index < 0) {
		CLEANUP(freep) char *shown = quote(view_of(name));

		return error_set(err, ERROR_INVALID,
			"what is to be done with missed runs is 'skip', 'once' or 'all', not %s",
			shown);
	}
	*ret_missed = (enum task_missed)index;
	return 0;
}

int task_context_parse(const char *name, enum task_context *ret_context, struct error *err)
{
	int index = index_of(contexts, ARRAY_SIZE(contexts), name);

	if (index < 0) {
		CLEANUP(freep) char *shown = quote(view_of(name));

		return error_set(err, ERROR_INVALID,
			"the context of a task is 'group' or 'isolated', not %s", shown);
	}
	*ret_context = (enum task_context)index;
	return 0;
}

void task_release(struct task *task)
{
	free(task->id);
	free(task->group_folder);
	free(task->chat_jid);
	free(task->prompt);
	free(task->value);
	free(task->tz);
	free(task->created_at);
	free(task->last_run);
	free(task->last_result);
	free(task->key);
	*task = TASK_INIT;
}

void task_list_release(struct task_list *tasks)
{
	for (size_t i = 0; i < tasks->count; i++)
		task_release(&tasks->list[i]);
	free(tasks->list);
	*tasks = (struct task_list){0};
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
			"the group '%s' has %d tasks, and more are not taken",
			task->group_folder, TASKS_MAX_PER_GROUP);
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

#define COLUMNS                                                                                \
	"id, group_folder, chat_jid, prompt, schedule_type, schedule_value, tz, missed,"       \
	" context_mode, status, next_run, anchor, created_at, last_run, last_result, key"

static struct task read_task(const struct query *q)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct task task = {
		.id = query_copy(q, 0),
		.group_folder = query_copy(q, 1),
		.chat_jid = query_copy(q, 2),
		.prompt = query_copy(q, 3),
		.value = query_copy(q, 5),
		.tz = query_copy(q, 6),
		.next_run = query_time(q, 10),
		.anchor = query_time(q, 11),
		.created_at = query_copy(q, 12),
		.last_run = query_copy(q, 13),
		.last_result = query_copy(q, 14),
		.key = query_copy(q, 15),
	};

	/* The table allows no other names. */
	schedule_type_parse(query_text(q, 4), &task.type, &ignored);
	task_missed_parse(query_text(q, 7), &task.missed, &ignored);
	task_context_parse(query_text(q, 8), &task.context, &ignored);
	task.status =
		(enum task_status)index_of(statuses, ARRAY_SIZE(statuses), query_text(q, 9));
	return task;
}

static int read_one(struct query *q, struct task *ret_task, struct error *err)
{
	int more = query_next(q, err);

	if (more < 0)
		return -1;
	*ret_task = more ? read_task(q) : TASK_INIT;
	return 0;
}

static int read_list(struct query *q, struct task_list *ret_tasks, struct error *err)
{
	CLEANUP(task_list_release) struct task_list tasks = {0};
	int more;

	while ((more = query_next(q, err)) > 0) {
		GROW(tasks.list, tasks.count, tasks.cap);
		tasks.list[tasks.count++] = read_task(q);
	}
	if (more < 0)
		return -1;
	*ret_tasks = tasks;
	tasks = (struct task_list){0};
	return 0;
}

int store_task_get(
	struct store *store, const char *id, struct task *ret_task, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err, "SELECT " COLUMNS " FROM scheduled_tasks WHERE id = ?",
		    "s", id) < 0)
		return -1;
	return read_one(&q, ret_task, err);
}

int store_task_by_key(
	struct store *store, const char *key, struct task *ret_task, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err, "SELECT " COLUMNS " FROM scheduled_tasks WHERE key = ?",
		    "s", key) < 0)
		return -1;
	return read_one(&q, ret_task, err);
}

int store_task_list(struct store *store, const char *folder, bool ended,
	struct task_list *ret_tasks, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT " COLUMNS " FROM scheduled_tasks"
		    " WHERE (?1 IS NULL OR group_folder = ?1)"
		    " AND (?2 OR status IN ('active', 'paused')) ORDER BY rowid",
		    "sd", folder, ended) < 0)
		return -1;
	return read_list(&q, ret_tasks, err);
}

int store_task_due(struct store *store, int64_t now, int max, struct task_list *ret_tasks,
	struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;

	if (query_start(store, &q, err,
		    "SELECT " COLUMNS " FROM scheduled_tasks WHERE status = 'active'"
		    " AND next_run <= ? ORDER BY next_run, rowid LIMIT ?",
		    "td", now, max) < 0)
		return -1;
	return read_list(&q, ret_tasks, err);
}

int store_task_nearest(struct store *store, int64_t *ret_time, struct error *err)
{
	CLEANUP(query_end) struct query q = QUERY_INIT;
	int more;

	if (query_start(store, &q, err,
		    "SELECT next_run FROM scheduled_tasks WHERE status = 'active'"
		    " AND next_run IS NOT NULL ORDER BY next_run LIMIT 1",
		    "") < 0)
		return -1;
	more = query_next(&q, err);
	if (more < 0)
		return -1;
	*ret_time = more ? query_time(&q, 0) : INT64_MAX;
	return 0;
}
