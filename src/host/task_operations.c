#include "host/task_operations.h"

#include <inttypes.h>
#include <string.h>

#include "host/scheduler.h"
#include "host/task_json.h"
#include "host/worker.h"
#include "store/task_runs.h"
#include "store/tasks.h"
#include "util/json.h"
#include "util/quote.h"
#include "util/timestamp.h"
#include "util/utf8.h"

#define MAX_KEY 64

/* --- arguments --------------------------------------------------------------- */

enum argument {
	ARG_CONTEXT,
	ARG_GROUP,
	ARG_KEY,
	ARG_LIMIT,
	ARG_MISSED,
	ARG_PROMPT,
	ARG_TASK,
	ARG_TYPE,
	ARG_TZ,
	ARG_VALUE,
	ARG_COUNT,
};

static const char *const argument_names[ARG_COUNT] = {
	[ARG_CONTEXT] = "context_mode",
	[ARG_GROUP] = "group",
	[ARG_KEY] = "key",
	[ARG_LIMIT] = "limit",
	[ARG_MISSED] = "missed",
	[ARG_PROMPT] = "prompt",
	[ARG_TASK] = "task_id",
	[ARG_TYPE] = "schedule_type",
	[ARG_TZ] = "tz",
	[ARG_VALUE] = "schedule_value",
};

struct call {
	const struct task_desk *desk;
	const struct actor *actor;
	const json_t *request;
	json_t *reply;
	int64_t now;
	char *texts[ARG_COUNT]; /* NULL: not given */
};

static void call_release(struct call *call)
{
	for (size_t i = 0; i < ARG_COUNT; i++)
		free(call->texts[i]);
}

static int read_text(
	const json_t *request, const char *name, char **ret_text, struct error *err)
{
	const json_t *value = json_object_get(request, name);
	const char *text = json_string_value(value);
	double number = json_number_value(value);

	if (!value || json_is_null(value))
		return 0;
	if (text && *text && strlen(text) == json_string_length(value))
		*ret_text = xstrdup(text);
	else if (json_is_number(value) && number >= 0 && number < 1e15)
		*ret_text = xasprintf("%.0f", number);
	else
		return error_set(err, ERROR_INVALID, "'%s' must be a text", name);
	return 0;
}

static int read_arguments(struct call *call, struct error *err)
{
	for (size_t i = 0; i < ARG_COUNT; i++)
		if (read_text(call->request, argument_names[i], &call->texts[i], err) < 0)
			return -1;
	return 0;
}

static int require(const struct call *call, enum argument argument, struct error *err)
{
	if (call->texts[argument])
		return 0;
	return error_set(err, ERROR_INVALID, "'%s' is missing", argument_names[argument]);
}

/* --- which group, which task ------------------------------------------------- */

static bool is_own(const struct actor *actor, const char *folder)
{
	return actor->kind == ACTOR_GROUP && !strcmp(actor->folder, folder);
}

static int require_right(const struct call *call, const char *folder, struct error *err)
{
	return rights_require(call->desk->store, call->actor,
		is_own(call->actor, folder) ? RIGHT_TASKS : RIGHT_TASKS_ELSEWHERE, err);
}

static int find_group(struct call *call, struct group *ret_group, struct error *err)
{
	const char *word = call->texts[ARG_GROUP];

	if (!word && call->actor->kind == ACTOR_PERSON)
		return require(call, ARG_GROUP, err);
	if (!word)
		word = call->actor->folder;
	if (store_group_find(call->desk->store, word, ret_group, err) < 0)
		return -1;
	/* Who has no right to other groups does not hear which there are. */
	if (require_right(call, ret_group->folder ? ret_group->folder : "", err) < 0)
		return -1;
	if (!ret_group->folder)
		return registry_unknown(call->desk->registry, word, err);
	return 0;
}

/* A group that may not see the task of another does not hear that it is there. */
static int find_task(struct call *call, struct task *ret_task, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;
	bool allowed = true;

	if (require(call, ARG_TASK, err) < 0 ||
		store_task_get(call->desk->store, call->texts[ARG_TASK], &task, err) < 0)
		return -1;
	if (task.id && rights_allow(call->desk->store, call->actor,
			       is_own(call->actor, task.group_folder) ? RIGHT_TASKS
								      : RIGHT_TASKS_ELSEWHERE,
			       &allowed, err) < 0)
		return -1;
	if (!task.id || !allowed) {
		CLEANUP(freep) char *shown = quote(view_of(call->texts[ARG_TASK]));

		error_set(err, ERROR_INVALID, "there is no task %s", shown);
		return error_hint(err, "'nanoclaw task list' shows them");
	}
	*ret_task = task;
	task = TASK_INIT;
	return 0;
}

static int require_open(const struct task *task, struct error *err)
{
	if (task->status == TASK_ACTIVE || task->status == TASK_PAUSED)
		return 0;
	return error_set(
		err, ERROR_INVALID, "task %s is %s", task->id, task_status_name(task->status));
}

/* --- planning ---------------------------------------------------------------- */

static int never(const struct task *task, const struct schedule *schedule, int64_t now,
	struct error *err)
{
	char text[ZONE_TEXT_SIZE];

	if (task->type != SCHEDULE_ONCE) {
		error_set(err, ERROR_INVALID, "'%s' never happens", task->value);
		return error_hint(err, "is there a month with that day?");
	}
	zone_format(schedule->zone, schedule->at / 1000, text);
	error_set(err, ERROR_INVALID, "%s is over", text);
	zone_format(schedule->zone, now / 1000, text);
	return error_hint(err, "it is %s in the time zone '%s'", text, task->tz);
}

/* When it is due next; a task that is not active never is. */
static int plan(struct task *task, int64_t now, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;

	if (task_schedule(task, &schedule, err) < 0)
		return -1;
	if (!schedule_next(&schedule, now, &task->next_run))
		return never(task, &schedule, now, err);
	if (task->status != TASK_ACTIVE)
		task->next_run = 0;
	return 0;
}

static void replace_text(char **text, const char *by)
{
	if (!by)
		return;
	free(*text);
	*text = xstrdup(by);
}

/* What the arguments say, over what the task was. */
static int apply_arguments(const struct call *call, struct task *task, struct error *err)
{
	char *const *texts = call->texts;

	if (texts[ARG_PROMPT] && (strlen(texts[ARG_PROMPT]) > TASK_PROMPT_MAX ||
					 !utf8_valid(view_of(texts[ARG_PROMPT]))))
		return error_set(err, ERROR_INVALID, "the prompt is too long");
	if (texts[ARG_TYPE] && !texts[ARG_VALUE])
		return require(call, ARG_VALUE, err);
	if ((texts[ARG_TYPE] && schedule_type_parse(texts[ARG_TYPE], &task->type, err) < 0) ||
		(texts[ARG_MISSED] &&
			task_missed_parse(texts[ARG_MISSED], &task->missed, err) < 0) ||
		(texts[ARG_CONTEXT] &&
			task_context_parse(texts[ARG_CONTEXT], &task->context, err) < 0))
		return -1;
	replace_text(&task->prompt, texts[ARG_PROMPT]);
	replace_text(&task->value, texts[ARG_VALUE]);
	replace_text(&task->tz, texts[ARG_TZ]);
	if (texts[ARG_VALUE])
		task->anchor = call->now;
	if (!texts[ARG_VALUE] && !texts[ARG_TZ])
		return 0;
	return plan(task, call->now, err);
}

static void tell(const struct call *call, const struct task *task)
{
	scheduler_changed(call->desk->scheduler);
	json_object_set_new(call->reply, "task", task_json(task));
}

/* Store a task that was changed; the runs that wait go with `cancel_waiting`. */
static int store_change(
	struct call *call, const struct task *task, bool cancel_waiting, struct error *err)
{
	struct store *store = call->desk->store;

	if (store_begin(store, err) < 0)
		return -1;
	if (store_task_update(store, task, err) < 0 ||
		(cancel_waiting &&
			task_run_cancel_waiting(store, task->id, call->now, err) < 0)) {
		store_rollback(store);
		return -1;
	}
	if (store_commit(store, "task-change", err) < 0)
		return -1;
	tell(call, task);
	return 0;
}

/* --- schedule_task ------------------------------------------------------------ */

/* In a turn: the chat that is being answered. */
static const struct turn *turn_of(const struct call *call)
{
	const struct worker *worker = call->actor->worker;

	return worker && worker->turn.id ? &worker->turn : NULL;
}

static char *key_of(const struct call *call)
{
	const struct turn *turn = turn_of(call);
	const char *own = call->texts[ARG_KEY];

	if (turn && own)
		return xasprintf("t%" PRId64 "-k%s", turn->id, own);
	if (turn)
		return xasprintf(
			"t%" PRId64 "-%d", turn->id, ++call->actor->worker->tasks_in_turn);
	if (own)
		/* No folder has a '.', so that no key is that of another group as well. */
		return xasprintf(
			"-%s.k%s", call->actor->folder ? call->actor->folder : "", own);
	return NULL;
}

static struct task new_task(const struct call *call, const struct group *group)
{
	const struct turn *turn = turn_of(call);
	bool here = turn && is_own(call->actor, group->folder);
	char time[TIMESTAMP_SIZE];

	timestamp_format(call->now, time);
	return (struct task){
		.group_folder = xstrdup(group->folder),
		.chat_jid = xstrdup(here ? turn->chat_jid : group->jid),
		.tz = zone_default_name(call->desk->tz),
		.missed = MISSED_ONCE,
		.created_at = xstrdup(time),
		.key = key_of(call),
	};
}

/* The same turn once more: its task is there, and is as this attempt wants it. */
static int repeat(struct call *call, struct task *task, struct error *err)
{
	json_object_set_new(call->reply, "added", json_false());
	if (task->status != TASK_ACTIVE || task->last_run) {
		tell(call, task);
		return 0;
	}
	if (apply_arguments(call, task, err) < 0)
		return -1;
	return store_change(call, task, false, err);
}

static int schedule_task(struct call *call, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(task_release) struct task task = TASK_INIT;
	CLEANUP(task_release) struct task earlier = TASK_INIT;

	if (require(call, ARG_PROMPT, err) < 0 || require(call, ARG_TYPE, err) < 0 ||
		require(call, ARG_VALUE, err) < 0 || find_group(call, &group, err) < 0)
		return -1;
	if (call->texts[ARG_KEY] && strlen(call->texts[ARG_KEY]) > MAX_KEY)
		return error_set(err, ERROR_INVALID, "the key is too long");
	task = new_task(call, &group);
	if (task.key && store_task_by_key(call->desk->store, task.key, &earlier, err) < 0)
		return -1;
	if (earlier.id)
		return repeat(call, &earlier, err);
	if (apply_arguments(call, &task, err) < 0)
		return -1;
	if (store_task_add(call->desk->store, &task, err) < 0)
		return -1;
	json_object_set_new(call->reply, "added", json_true());
	tell(call, &task);
	return 0;
}

/* --- the others --------------------------------------------------------------- */

static int list_tasks(struct call *call, struct error *err)
{
	CLEANUP(task_list_release) struct task_list tasks = {0};
	CLEANUP(group_release) struct group group = GROUP_INIT;
	json_t *list = json_array();
	bool all;

	json_object_set_new(call->reply, "tasks", list);
	if (rights_allow(call->desk->store, call->actor, RIGHT_TASKS_ELSEWHERE, &all, err) < 0)
		return -1;
	if ((call->texts[ARG_GROUP] || !all) && find_group(call, &group, err) < 0)
		return -1;
	if (store_task_list(call->desk->store, group.folder,
		    json_is_true(json_object_get(call->request, "all")), &tasks, err) < 0)
		return -1;
	for (size_t i = 0; i < tasks.count; i++)
		json_array_append_new(list, task_json(&tasks.list[i]));
	return 0;
}

static int update_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (find_task(call, &task, err) < 0 || require_open(&task, err) < 0 ||
		apply_arguments(call, &task, err) < 0)
		return -1;
	return store_change(call, &task, false, err);
}

static int pause_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (find_task(call, &task, err) < 0 || require_open(&task, err) < 0)
		return -1;
	task.status = TASK_PAUSED;
	task.next_run = 0;
	return store_change(call, &task, true, err);
}

static int resume_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;

	if (find_task(call, &task, err) < 0 || require_open(&task, err) < 0)
		return -1;
	if (task.status == TASK_ACTIVE) {
		json_object_set_new(call->reply, "task", task_json(&task));
		return 0;
	}
	task.status = TASK_ACTIVE;
	if (plan(&task, call->now, err) < 0)
		return -1;
	return store_change(call, &task, false, err);
}

static int cancel_task(struct call *call, struct error *err)
{
	CLEANUP(task_release) struct task task = TASK_INIT;
	struct task_run_counts open;

	if (find_task(call, &task, err) < 0 ||
		task_run_count(call->desk->store, task.id, &open, err) < 0)
		return -1;
	/* One that was for a single time may be completed, and its run still waits. */
	if (!open.waiting && require_open(&task, err) < 0)
		return -1;
	task.status = TASK_CANCELLED;
	task.next_run = 0;
	return store_change(call, &task, true, err);
}

static int get_task_runs(struct call *call, struct error *err)
{
	CLEANUP(task_run_list_release) struct task_run_list runs = {0};
	CLEANUP(task_release) struct task task = TASK_INIT;
	json_t *list = json_array();
	long limit = TASK_RUNS_MAX + TASK_RUNS_MAX_MISSED;

	json_object_set_new(call->reply, "runs", list);
	if (call->texts[ARG_LIMIT])
		limit = strtol(call->texts[ARG_LIMIT], NULL, 10);
	if (limit < 1 || limit > 1000)
		return error_set(err, ERROR_INVALID, "'limit' is a number from 1 to 1000");
	if (find_task(call, &task, err) < 0 ||
		task_run_history(call->desk->store, task.id, (int)limit, &runs, err) < 0)
		return -1;
	json_object_set_new(call->reply, "task", task_json(&task));
	for (size_t i = 0; i < runs.count; i++)
		json_array_append_new(list, task_run_json(&runs.list[i]));
	return 0;
}

/* --- the table --------------------------------------------------------------- */

static const struct operation {
	const char *name;
	int (*run)(struct call *call, struct error *err);
} operations[] = {
	{"cancel_task", cancel_task},
	{"get_task_runs", get_task_runs},
	{"list_tasks", list_tasks},
	{"pause_task", pause_task},
	{"resume_task", resume_task},
	{"schedule_task", schedule_task},
	{"update_task", update_task},
};

static const struct operation *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		if (!strcmp(operations[i].name, name))
			return &operations[i];
	return NULL;
}

bool task_operations_know(const char *name)
{
	return find(name) != NULL;
}

int task_operations_run(const struct task_desk *desk, const struct actor *actor,
	const json_t *request, json_t *reply, struct error *err)
{
	CLEANUP(call_release)
	struct call call = {
		.desk = desk,
		.actor = actor,
		.request = request,
		.reply = reply,
		.now = timestamp_clock(),
	};

	if (read_arguments(&call, err) < 0)
		return -1;
	return find(json_string_value(json_object_get(request, "op")))->run(&call, err);
}
