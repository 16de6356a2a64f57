#include <sqlite3.h>
#include <string.h>

#include "db/query.h"
#include "host/import/v1.h"
#include "ledger/tasks.h"
#include "time/timestamp.h"

/* The columns of a task, in the order of the query. */
enum column {
	COLUMN_ID,
	COLUMN_FOLDER,
	COLUMN_CHAT,
	COLUMN_PROMPT,
	COLUMN_TYPE,
	COLUMN_VALUE,
	COLUMN_NEXT,
	COLUMN_STATUS,
	COLUMN_CREATED,
	COLUMN_LAST_RUN,
	COLUMN_LAST_RESULT,
	COLUMN_CONTEXT,
	COLUMN_SCRIPT,
};

struct taking {
	struct v1 *v1;
	struct store *store;
	const struct v1_group_list *groups;
	const char *zone;
	struct v1_report *report;
};

static int64_t time_of(const char *text)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t ms = 0;

	timestamp_parse(view_of(text), &ms, &ignored);
	return ms;
}

/* Its intervals are milliseconds; people read seconds. */
static char *task_value(sqlite3_stmt *row)
{
	const char *value = v1_text(row, COLUMN_VALUE);
	size_t len = strlen(value);

	if (!strcmp(v1_text(row, COLUMN_TYPE), "interval") && len > 3 && len < 15 &&
		strspn(value, "0123456789") == len && !strcmp(value + len - 3, "000"))
		return xasprintf("%.*ss", (int)len - 3, value);
	return xstrdup(value);
}

static struct task make_task(const struct taking *t, sqlite3_stmt *row, const char *folder)
{
	int64_t next = time_of(v1_text(row, COLUMN_NEXT));
	int64_t created = time_of(v1_text(row, COLUMN_CREATED));
	char created_at[TIMESTAMP_SIZE];

	timestamp_format(created, created_at);
	return (struct task){
		.group_folder = xstrdup(folder),
		.chat_jid = xstrdup(v1_text(row, COLUMN_CHAT)),
		.prompt = xstrdup(v1_text(row, COLUMN_PROMPT)),
		.value = task_value(row),
		.tz = xstrdup(t->zone),
		.missed = MISSED_ONCE,
		.context = strcmp(v1_text(row, COLUMN_CONTEXT), "group") ? CONTEXT_ISOLATED
									 : CONTEXT_GROUP,
		.status = strcmp(v1_text(row, COLUMN_STATUS), "paused") ? TASK_ACTIVE
									: TASK_PAUSED,
		.next_run = next,
		.anchor = next      ? next
			  : created ? created
				    : timestamp_clock(),
		.created_at = xstrdup(created_at),
		.key = xasprintf("v1:%s", v1_text(row, COLUMN_ID)),
	};
}

/* Its recorded time, else the next one of the schedule. */
static int plan_task(struct task *task, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;

	if (task_schedule(task, &schedule, err) < 0)
		return -1;
	if (task->status != TASK_ACTIVE)
		task->next_run = 0;
	else if (!task->next_run && !schedule_next(&schedule, timestamp_now(), &task->next_run))
		return error_set(err, ERROR_INVALID, "its time is in the past");
	return 0;
}

/* --- runs -------------------------------------------------------------------- */

static int take_runs(
	struct taking *t, const char *old_id, const char *task_id, struct error *err)
{
	CLEANUP(v1_finalizep) sqlite3_stmt *rows = NULL;
	int step;

	if (!v1_has(t->v1, "task_run_logs", "duration_ms"))
		return 0;
	rows = v1_prepare(t->v1,
		xstrdup("SELECT run_at, duration_ms, status, result, error FROM task_run_logs"
			" WHERE task_id = ? ORDER BY run_at"),
		err);
	if (!rows)
		return -1;
	sqlite3_bind_text(rows, 1, old_id, -1, SQLITE_TRANSIENT);
	while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
		int64_t end = time_of(v1_text(rows, 0));
		int64_t duration = sqlite3_column_int64(rows, 1);

		if (end <= 0 || duration < 0 || duration >= end)
			continue;
		if (query_run(t->store, err,
			    "INSERT OR IGNORE INTO task_runs (task_id, scheduled_for, queued_at,"
			    " started_at, ended_at, outcome, result, error)"
			    " VALUES (?1, ?2, ?2, ?2, ?3, ?4, nullif(?5, ''), nullif(?6, ''))",
			    "sttsss", task_id, end - duration, end,
			    strcmp(v1_text(rows, 2), "success") ? "failed" : "answered",
			    v1_text(rows, 3), v1_text(rows, 4)) < 0)
			return -1;
		t->report->runs += (size_t)store_changes(t->store);
	}
	return step == SQLITE_DONE ? 0 : v1_fail(t->v1, err);
}

/* --- tasks ------------------------------------------------------------------- */

static int take_task(struct taking *t, sqlite3_stmt *row, struct error *err)
{
	const char *prompt = v1_text(row, COLUMN_PROMPT);
	const char *folder = NULL;
	const char *reason = NULL;
	int64_t last_run;
	CLEANUP(error_release) struct error wrong = ERROR_INIT;
	CLEANUP(task_release) struct task task = TASK_INIT;
	CLEANUP(task_release) struct task there = TASK_INIT;

	for (size_t i = 0; i < t->groups->count && !folder; i++)
		if (!strcmp(t->groups->list[i].from, v1_text(row, COLUMN_FOLDER)))
			folder = t->groups->list[i].group.folder;
	if (!folder)
		reason = "its group is not imported";
	else if (*v1_text(row, COLUMN_SCRIPT))
		reason = "it runs a script in the old container";
	else if (!*prompt || strlen(prompt) > TASK_PROMPT_MAX)
		reason = "its prompt is empty or too long";
	if (reason) {
		v1_leave_out(t->report, reason, "task '%s'", v1_text(row, COLUMN_ID));
		return 0;
	}
	task = make_task(t, row, folder);
	if (store_task_by_key(t->store, task.key, &there, err) < 0)
		return -1;
	if (there.id)
		return 0;
	if (schedule_type_parse(v1_text(row, COLUMN_TYPE), &task.type, &wrong) < 0 ||
		plan_task(&task, &wrong) < 0) {
		v1_leave_out(t->report, wrong.message, "task '%s'", v1_text(row, COLUMN_ID));
		return 0;
	}
	if (store_task_add(t->store, &task, err) < 0)
		return -1;
	t->report->tasks++;
	last_run = time_of(v1_text(row, COLUMN_LAST_RUN));
	if (last_run && query_run(t->store, err,
				"UPDATE scheduled_tasks SET last_run = ?,"
				" last_result = nullif(?, '') WHERE id = ?",
				"tss", last_run, v1_text(row, COLUMN_LAST_RESULT), task.id) < 0)
		return -1;
	return take_runs(t, v1_text(row, COLUMN_ID), task.id, err);
}

int v1_take_tasks(struct v1 *v1, struct store *store, const struct v1_group_list *groups,
	const char *zone, struct v1_report *report, struct error *err)
{
	struct taking t = {v1, store, groups, zone, report};
	CLEANUP(v1_finalizep) sqlite3_stmt *rows = NULL;
	size_t ended = 0;
	int step;

	if (!v1_has(v1, "scheduled_tasks", "schedule_value"))
		return 0;
	rows = v1_prepare(v1,
		xasprintf("SELECT id, group_folder, chat_jid, prompt, schedule_type,"
			  " schedule_value, next_run, coalesce(status, 'active'), created_at,"
			  " last_run, last_result, %s, %s FROM scheduled_tasks"
			  " ORDER BY created_at, id",
			v1_has(v1, "scheduled_tasks", "context_mode")
				? "coalesce(context_mode, 'isolated')"
				: "'isolated'",
			v1_has(v1, "scheduled_tasks", "script") ? "script" : "NULL"),
		err);
	if (!rows)
		return -1;
	while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
		if (!strcmp(v1_text(rows, COLUMN_STATUS), "completed"))
			ended++;
		else if (take_task(&t, rows, err) < 0)
			return -1;
	}
	if (step != SQLITE_DONE)
		return v1_fail(v1, err);
	if (ended)
		v1_leave_out(
			report, "over", "%zu completed task%s", ended, ended == 1 ? "" : "s");
	return 0;
}
