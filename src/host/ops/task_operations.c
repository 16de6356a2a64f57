#include "host/ops/operation_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/quote.h"
#include "base/utf8.h"
#include "format/json.h"
#include "host/schedule/scheduler.h"
#include "host/schedule/task_json.h"
#include "host/turn/worker.h"
#include "ledger/task_runs.h"
#include "ledger/tasks.h"
#include "time/phrase/when.h"
#include "time/timestamp.h"

#define LISTED_PROMPT 500 /* bytes of a prompt in an agent's list */

/* The shortest interval of a task that an agent adds, in milliseconds. */
#define TASK_LEAST_INTERVAL ((int64_t)60 * 1000)

/* --- which task --------------------------------------------------------------- */

/* A group that may not see another's task does not learn that it exists. */
static int find_task(struct call *call, struct task *ret_task, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;
	CLEANUP(group_release) struct group binned = GROUP_INIT;
	const char *id = call_text(call, "task_id");
	bool allowed = true;

	if (store_task_get(call->store, id, &task, err) < 0)
		return -1;
	if (task.id && !call_is_own(call, task.group_folder) &&
		rights_allow(call->store, call->actor, call->operation->elsewhere, &allowed,
			err) < 0)
		return -1;
	if (!task.id || !allowed) {
		CLEANUP(freep) char *shown = quote(view_of(id));

		error_set(err, ERROR_INVALID, "there is no task %s", shown);
		return error_hint(err, "'nanoclaw task list' shows them");
	}
	if (store_group_owner(call->store, task.group_folder, &binned, err) < 0)
		return -1;
	if (binned.removed_at && !strcmp(binned.folder, task.group_folder))
		return group_refuse_binned(&binned, err);
	*ret_task = task;
	task = TASK_INIT;
	return 0;
}

static int require_open(const struct task *task, struct error *err)
{
	if (task->status == TASK_ACTIVE || task->status == TASK_PAUSED)
		return 0;
	return error_set(err, ERROR_INVALID, "task %s is already %s", task->id,
		task_status_name(task->status));
}

/* --- planning ---------------------------------------------------------------- */

static int never_due(const struct task *task, const struct schedule *schedule, int64_t now,
	struct error *err)
{
	char text[ZONE_TEXT_SIZE];

	if (task->type != SCHEDULE_ONCE) {
		error_set(err, ERROR_INVALID, "'%s' never happens", task->value);
		return error_hint(err, "is there a month with that day?");
	}
	zone_format(schedule->zone, schedule->at / 1000, text);
	error_set(err, ERROR_INVALID, "%s is in the past", text);
	zone_format(schedule->zone, now / 1000, text);
	return error_hint(err, "it is %s in the time zone '%s'", text, task->tz);
}

/* When it is due next; a task that is not active never is. */
static int plan_task(struct task *task, int64_t now, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;

	if (task_schedule(task, &schedule, err) < 0)
		return -1;
	if (!schedule_next(&schedule, now, &task->next_run))
		return never_due(task, &schedule, now, err);
	if (task->status != TASK_ACTIVE)
		task->next_run = 0;
	return 0;
}

/* An agent may not fill the machine with runs; a person may. */
static int check_frequency(const struct task *task, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;

	if (task_schedule(task, &schedule, err) < 0)
		return -1;
	if (task->type != SCHEDULE_INTERVAL || schedule.every >= TASK_LEAST_INTERVAL)
		return 0;
	error_set(err, ERROR_INVALID, "the tasks of an agent are at least a minute apart");
	return error_hint(
		err, "a person can add one: 'nanoclaw task add GROUP --every 10s ...'");
}

static void replace_text(char **text, const char *by)
{
	if (!by)
		return;
	free(*text);
	*text = xstrdup(by);
}

/* A time in words becomes the time that it means now. */
static int replace_words(struct task *task, int64_t now, struct error *err)
{
	CLEANUP(zone_freep) struct zone *zone = NULL;
	char *point;

	if (task->type != SCHEDULE_ONCE)
		return 0;
	if (zone_open(task->tz, &zone, err) < 0)
		return -1;
	point = when_point(view_of(task->value), zone, now);
	if (point) {
		free(task->value);
		task->value = point;
	}
	return 0;
}

/* The task with the arguments applied. */
static int apply_arguments(const struct call *call, struct task *task, struct error *err)
{
	const char *type = call_text(call, "schedule_type");
	const char *value = call_text(call, "schedule_value");
	const char *missed = call_text(call, "missed");
	const char *context = call_text(call, "context_mode");
	const char *tz = call_text(call, "tz");

	if (type && !value)
		return error_set(err, ERROR_INVALID, "'schedule_value' is missing");
	if ((type && schedule_type_parse(type, &task->type, err) < 0) ||
		(missed && task_missed_parse(missed, &task->missed, err) < 0) ||
		(context && task_context_parse(context, &task->context, err) < 0))
		return -1;
	replace_text(&task->prompt, call_text(call, "prompt"));
	replace_text(&task->value, value);
	replace_text(&task->tz, tz);
	if (value)
		task->anchor = call->now;
	if (value && replace_words(task, call->now, err) < 0)
		return -1;
	if ((value || tz) && plan_task(task, call->now, err) < 0)
		return -1;
	return value && call->actor->kind == ACTOR_GROUP ? check_frequency(task, err) : 0;
}

static void task_changed(const struct call *call, const struct task *task)
{
	if (call->host)
		scheduler_changed(call->host->scheduler);
	json_put(call->reply, "task:o", task_json(task));
}

/* Store a task that was changed; the runs that wait go with `cancel_waiting`. */
static int store_change(
	struct call *call, const struct task *task, bool cancel_waiting, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	struct store *store = call->store;

	if (txn_begin(&txn, store, err) < 0 || store_task_update(store, task, err) < 0 ||
		(cancel_waiting &&
			task_run_cancel_waiting(store, task->id, call->now, err) < 0))
		return -1;
	if (txn_commit(&txn, "task-change", err) < 0)
		return -1;
	task_changed(call, task);
	return 0;
}

/* --- schedule_task ------------------------------------------------------------ */

/* The turn in which the call was made; NULL outside of one. */
static const struct turn *turn_of(const struct call *call)
{
	const struct worker *worker = call->actor->worker;

	return worker && worker->turn.id ? &worker->turn : NULL;
}

static struct task new_task(const struct call *call, const struct group *group)
{
	const struct turn *turn = turn_of(call);
	bool here = turn && call_is_own(call, group->folder);
	const char *own = call_text(call, "key");
	char *key = NULL;
	char time[TIMESTAMP_SIZE];

	if (turn && own)
		key = xasprintf("t%" PRId64 "-k%s", turn->id, own);
	else if (turn)
		key = xasprintf(
			"t%" PRId64 "-%d", turn->id, ++call->actor->worker->tasks_in_turn);
	else if (own)
		/* A folder's name has no '.', so two groups never share a key. */
		key = xasprintf("-%s.k%s", call->actor->folder ? call->actor->folder : "", own);
	timestamp_format(call->now, time);
	return (struct task){
		.group_folder = xstrdup(group->folder),
		.chat_jid = xstrdup(here ? turn->chat_jid : group->jid),
		.tz = zone_default_name(settings_get(call->settings, "TZ")),
		.missed = MISSED_ONCE,
		.created_at = xstrdup(time),
		.key = key,
	};
}

int op_schedule_task(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(task_release) struct task task = TASK_INIT;
	CLEANUP(task_release) struct task earlier = TASK_INIT;

	if (call_group(call, &group, err) < 0)
		return -1;
	task = new_task(call, &group);
	if (task.key && store_task_by_key(call->store, task.key, &earlier, err) < 0)
		return -1;
	json_put(call->reply, "added:b", !earlier.id);
	if (earlier.id && (earlier.status != TASK_ACTIVE || earlier.last_run)) {
		task_changed(call, &earlier);
		return 0;
	}
	/* The turn is repeated: its task already exists, and gets this attempt's values. */
	if (earlier.id)
		return apply_arguments(call, &earlier, err) < 0
			       ? -1
			       : store_change(call, &earlier, false, err);
	if (apply_arguments(call, &task, err) < 0)
		return -1;
	if (store_task_add(call->store, &task, err) < 0)
		return -1;
	task_changed(call, &task);
	return 0;
}

/* --- the others --------------------------------------------------------------- */

/* An agent may ask for hundreds of them, and everybody else waits meanwhile. */
static void shorten_prompt(struct task *task)
{
	CLEANUP(freep) char *whole = NULL;
	size_t len;

	if (strlen(task->prompt) <= LISTED_PROMPT)
		return;
	whole = TAKE(task->prompt);
	len = utf8_valid_len((struct view){whole, LISTED_PROMPT});
	task->prompt = xasprintf("%.*s\u2026", (int)len, whole);
}

int op_list_tasks(struct call *call, struct error *err)
{
	CLEANUP(task_list_release) struct task_list tasks = {0};
	CLEANUP(group_release) struct group group = GROUP_INIT;
	json_t *list = json_array();
	bool all;

	json_put(call->reply, "tasks:o", list);
	if (rights_allow(call->store, call->actor, call->operation->elsewhere, &all, err) < 0)
		return -1;
	if ((call_text(call, "group") || !all) && call_group(call, &group, err) < 0)
		return -1;
	if (store_task_list(call->store, group.folder, call_flag(call, "all"), &tasks, err) < 0)
		return -1;
	for (size_t i = 0; i < tasks.count; i++) {
		if (call->actor->kind != ACTOR_PERSON)
			shorten_prompt(&tasks.list[i]);
		json_array_append_new(list, task_json(&tasks.list[i]));
	}
	return 0;
}

int op_update_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (find_task(call, &task, err) < 0 || require_open(&task, err) < 0 ||
		apply_arguments(call, &task, err) < 0 ||
		store_task_check_room(call->store, &task, err) < 0)
		return -1;
	return store_change(call, &task, false, err);
}

int op_pause_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (find_task(call, &task, err) < 0 || require_open(&task, err) < 0)
		return -1;
	task.status = TASK_PAUSED;
	task.next_run = 0;
	return store_change(call, &task, true, err);
}

int op_resume_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (find_task(call, &task, err) < 0 || require_open(&task, err) < 0)
		return -1;
	if (task.status == TASK_ACTIVE) {
		json_put(call->reply, "task:o", task_json(&task));
		return 0;
	}
	task.status = TASK_ACTIVE;
	if (plan_task(&task, call->now, err) < 0)
		return -1;
	return store_change(call, &task, false, err);
}

int op_cancel_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;
	struct task_run_counts open;

	if (find_task(call, &task, err) < 0 ||
		task_run_count(call->store, task.id, &open, err) < 0)
		return -1;
	/* One that was for a single time may be completed, and its run still waits. */
	if (!open.waiting && require_open(&task, err) < 0)
		return -1;
	task.status = TASK_CANCELLED;
	task.next_run = 0;
	return store_change(call, &task, true, err);
}

int op_get_task_runs(struct call *call, struct error *err)
{
	CLEANUP(task_run_list_release) struct task_run_list runs = {0};
	CLEANUP(task_release) struct task task = TASK_INIT;
	json_t *list = json_array();
	const json_t *limit = json_object_get(call->arguments, "limit");
	int most = limit ? (int)json_number_value(limit) : TASK_RUNS_MAX + TASK_RUNS_MAX_MISSED;

	json_put(call->reply, "runs:o", list);
	if (find_task(call, &task, err) < 0 ||
		task_run_history(call->store, task.id, most, &runs, err) < 0)
		return -1;
	json_put(call->reply, "task:o", task_json(&task));
	for (size_t i = 0; i < runs.count; i++)
		json_array_append_new(list, task_run_json(&runs.list[i]));
	return 0;
}
