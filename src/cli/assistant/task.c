#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"
#include "ledger/tasks.h"
#include "time/phrase/when.h"
#include "time/schedule.h"
#include "time/timestamp.h"

/* The runs of a task that 'task list --json' has. */
#define UPCOMING_MAX 200
#define UPCOMING_MS  ((int64_t)7 * 24 * 3600 * 1000)

/* The first line of a text in a reply, safe to print; "" if it is missing. */
static char *task_text(const json_t *object, const char *name)
{
	return output_first_line(json_member(object, name));
}

/* "2026-11-17 09:00 Europe/Berlin", or "-". */
static char *task_next_run(const json_t *task)
{
	CLEANUP(freep) char *local = task_text(task, "nextRunLocal");
	CLEANUP(freep) char *zone = task_text(task, "tz");

	if (strlen(local) < strlen("2026-11-17T09:00:00"))
		return xstrdup("-");
	local[10] = ' ';
	/* Seconds are shown only where there are some. */
	local[!strncmp(local + 16, ":00", 3) ? 16 : 19] = '\0';
	return xasprintf("%s %s", local, zone);
}

static const struct {
	const char *option;
	const char *type;
} schedules[] = {
	{"cron", "cron"},
	{"every", "interval"},
	{"at", "once"},
};

/* The host checks it too, but a mistake must not create a store first. */
static int check_schedule(
	const char *type_name, const char *value, const char *zone, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	CLEANUP(zone_freep) struct zone *here = NULL;
	CLEANUP(freep) char *point = NULL;
	enum schedule_type type;

	if (!zone)
		zone = "UTC";
	if (zone_open(zone, &here, err) < 0 || schedule_type_parse(type_name, &type, err) < 0)
		return -1;
	if (type == SCHEDULE_ONCE)
		point = when_point(view_of(value), here, timestamp_now());
	return schedule_parse(type, point ? point : value, zone, 0, &schedule, err);
}

static int run_task_add(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *request = host_request(args, "schedule_task", "group", "prompt", NULL);
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(freep) char *id = NULL;
	CLEANUP(freep) char *next = NULL;
	const json_t *task;
	int count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(schedules); i++) {
		const char *value = arguments_value(args, schedules[i].option);

		if (!value)
			continue;
		if (check_schedule(schedules[i].type, value, arguments_value(args, "tz"), err) <
			0)
			return -1;
		count++;
		json_put(request, "schedule_type:s schedule_value:s", schedules[i].type, value);
	}
	if (count != 1) {
		error_set(err, ERROR_INVALID, "%s of '--cron', '--every' and '--at' %s",
			count ? "only one" : "one", count ? "can be given" : "is required");
		return error_hint(err,
			"\"--cron '0 9 * * *'\" is nine every day, '--every 2h' is every two hours");
	}
	if (host_call(TAKE(request), &reply, err) < 0)
		return -1;
	task = json_object_get(reply, "task");
	id = task_text(task, "id");
	next = task_next_run(task);
	if (cli->json)
		output_success("task:O", task);
	else
		printf("task %s is scheduled; it runs next at %s\n", id, next);
	return EXIT_DONE;
}

static const struct option task_add_options[] = {
	{0, "cron", "EXPRESSION",
		"minute, hour, day, month, weekday: '0 9 * * MON-FRI', @daily"},
	{0, "every", "DURATION", "repeatedly: 30s, 15m, 2h, 1d, 1w, 1h30m"},
	{0, "at", "TIME", "once: 'tomorrow at 5pm', 2035-01-31T09:00, 2035-01-31T09:00+01:00"},
	{0, "tz", "ZONE", "its time zone, such as 'Europe/Berlin' (that of this machine)"},
	{0, "missed", "POLICY", NULL},
	{0, "context", "CONTEXT", NULL, .of = "context_mode"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw task add main --cron '0 9 * * MON-FRI' 'what is on my list today?'",
		"at nine on weekdays"},
	{"nanoclaw task add main --at 'friday at 18:30' --tz Europe/Berlin 'call Ann'",
		"once, in Berlin time"},
	{"nanoclaw task add news --every 6h --context isolated 'any news? else be silent'",
		"every six hours, in a separate conversation"},
	{0},
};

COMMAND(task_add) = {
	.name = "task add",
	.summary = "schedule a task for a group's agent, once or repeatedly",
	.usage = "<group> (--cron <expression> | --every <duration> | --at <time>) <prompt>",
	.description =
		"At the scheduled time, the group's agent gets the prompt, and its answer goes to\n"
		"the group's chat; an empty answer sends nothing.\n"
		"\n"
		"When clocks change, a skipped time happens right after the jump, a repeated time\n"
		"happens once, and an interval is elapsed time. A run that was missed because the\n"
		"host was not running is made up once, unless '--missed' says otherwise.",
	.operation = "schedule_task",
	.section = SECTION_ASSISTANT,
	.options = task_add_options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = {COMPLETE_GROUPS, COMPLETE_TEXT},
	.run = run_task_add,
};

static void task_changed_print(const json_t *reply)
{
	const json_t *task = json_object_get(reply, "task");
	CLEANUP(freep) char *id = task_text(task, "id");
	CLEANUP(freep) char *next = task_next_run(task);
	const char *status = json_member(task, "status");

	printf("task %s is %s", id, status);
	if (!strcmp(status, "active"))
		printf("; it runs next at %s", next);
	printf("\n");
}

static int run_task_pause(struct cli *cli, const struct arguments *args, struct error *err)
{
	return host_command(cli, host_request(args, "pause_task", "task_id", NULL),
		task_changed_print, err);
}

static int run_task_resume(struct cli *cli, const struct arguments *args, struct error *err)
{
	return host_command(cli, host_request(args, "resume_task", "task_id", NULL),
		task_changed_print, err);
}

static int run_task_cancel(struct cli *cli, const struct arguments *args, struct error *err)
{
	return host_command(cli, host_request(args, "cancel_task", "task_id", NULL),
		task_changed_print, err);
}

COMMAND(task_pause) = {
	.name = "task pause",
	.summary = "pause a task until 'task resume'",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_TASKS},
	.run = run_task_pause,
};

COMMAND(task_resume) = {
	.name = "task resume",
	.summary = "resume a paused task",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_TASKS},
	.run = run_task_resume,
};

COMMAND(task_cancel) = {
	.name = "task cancel",
	.summary = "cancel a task permanently",
	.usage = "<id>",
	.description = "'nanoclaw task list' shows the ids.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_TASKS},
	.run = run_task_cancel,
};

static void print_tasks(const struct cli *cli, const json_t *tasks)
{
	CLEANUP(table_release) struct table table = TABLE_INIT;
	const json_t *task;
	size_t i;

	table_head(&table, "id", "group", "next run", "schedule", "prompt", NULL);
	json_array_foreach(tasks, i, task) {
		const char *type = json_member(task, "scheduleType");
		const char *status = json_member(task, "status");
		CLEANUP(freep) char *next = task_next_run(task);
		CLEANUP(freep) char *prompt = task_text(task, "prompt");
		CLEANUP(freep)
		char *schedule = xasprintf("%s%s", strcmp(type, "interval") ? "" : "every ",
			strcmp(type, "once") ? json_member(task, "scheduleValue") : "once");

		table_add(&table, json_member(task, "id"), json_member(task, "group"),
			strcmp(status, "active") ? status : next, schedule, prompt, NULL);
	}
	table_print(&table, cli);
}

/* The runs of the week from the next one on, in UTC: for a calendar. */
static json_t *task_upcoming(const json_t *task)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	const char *type = json_string_value(json_object_get(task, "scheduleType"));
	const char *value = json_string_value(json_object_get(task, "scheduleValue"));
	const char *zone = json_string_value(json_object_get(task, "tz"));
	const char *next = json_string_value(json_object_get(task, "nextRun"));
	json_t *list = json_array();
	enum schedule_type kind;
	int64_t first, at;

	/* The next run is a run of an interval, so the others follow from it. */
	if (!type || !value || !next || timestamp_parse(view_of(next), &first, &ignored) < 0 ||
		schedule_type_parse(type, &kind, &ignored) < 0 ||
		schedule_parse(kind, value, zone, first, &schedule, &ignored) < 0)
		return list;
	at = first;
	do {
		char text[TIMESTAMP_SIZE];

		timestamp_format(at, text);
		json_add_text(list, text);
	} while (json_array_size(list) < UPCOMING_MAX && schedule_next(&schedule, at, &at) &&
		 at < first + UPCOMING_MS);
	return list;
}

static int run_task_list(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *tasks;

	if (host_look(host_request(args, "list_tasks", "group", NULL), &reply, &failure) < 0) {
		if (failure.errnum != ENOENT || args->count) {
			return error_move(err, &failure);
		}
		reply = json_pack("{s:[]}", "tasks");
	}
	tasks = json_object_get(reply, "tasks");
	for (size_t i = 0; cli->json && i < json_array_size(tasks); i++) {
		json_t *task = json_array_get(tasks, i);

		json_put(task, "upcoming:o", task_upcoming(task));
	}
	if (cli->json)
		output_success("tasks:O", tasks);
	else if (json_array_size(tasks))
		print_tasks(cli, tasks);
	else
		printf("no tasks yet: see 'nanoclaw task add --help'\n");
	return EXIT_DONE;
}

static const struct option task_list_options[] = {
	{0, "all", NULL, NULL},
	{0},
};

COMMAND(task_list) = {
	.name = "task list",
	.summary = "list scheduled tasks, with their next runs in their own time zones",
	.usage = "[<group>]",
	.operation = "list_tasks",
	.section = SECTION_ASSISTANT,
	.options = task_list_options,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_task_list,
};

static int run_task_runs(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(table_release) struct table table = {.right = 1u << 2};
	CLEANUP(json_decrefp) json_t *reply = NULL;
	const json_t *runs, *run;
	size_t i;

	if (host_look(host_request(args, "get_task_runs", "task_id", NULL), &reply, err) < 0)
		return -1;
	runs = json_object_get(reply, "runs");
	if (cli->json) {
		output_success("task:O runs:O", json_object_get(reply, "task"), runs);
		return EXIT_DONE;
	}
	if (!json_array_size(runs)) {
		printf("task %s has not run yet\n", args->words[0]);
		return EXIT_DONE;
	}
	table_head(&table, "due", "outcome", "took", "turn", "result", NULL);
	json_array_foreach(runs, i, run) {
		const json_t *duration = json_object_get(run, "durationMs");
		const char *turn = json_member(run, "turn");
		CLEANUP(freep)
		char *took = json_is_number(duration)
				     ? xasprintf("%.1f s", json_number_value(duration) / 1000)
				     : xstrdup("-");
		CLEANUP(freep) char *said = task_text(run, "result");
		CLEANUP(freep) char *error = task_text(run, "error");
		CLEANUP(freep) char *result = xasprintf("%s%s", said, error);

		table_add(&table, json_member(run, "scheduledFor"), json_member(run, "outcome"),
			took, *turn ? turn : "-", result, NULL);
	}
	table_print(&table, cli);
	return EXIT_DONE;
}

COMMAND(task_runs) = {
	.name = "task runs",
	.summary = "show the runs of a task and their outcomes, latest first",
	.usage = "<id>",
	.description = "'nanoclaw trace' explains a run by the id of its turn, such as 't12'.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = {COMPLETE_TASKS},
	.run = run_task_runs,
};

static void complete_tasks(struct completion *completion)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(task_list_release) struct task_list list = {0};
	struct store *store = assistant_peek();

	if (store && store_task_list(store, NULL, false, &list, &ignored) == 0)
		for (size_t i = 0; i < list.count; i++)
			completion_add(completion, list.list[i].id, list.list[i].prompt);
	store_free(store);
}

COMPLETER(COMPLETE_TASKS, complete_tasks);
