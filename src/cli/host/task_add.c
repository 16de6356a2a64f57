#include <stdio.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/host/task_request.h"
#include "cli/output.h"
#include "time/schedule.h"
#include "util/json.h"

static const struct {
	const char *option;
	const char *type;
} schedules[] = {
	{"cron", "cron"},
	{"every", "interval"},
	{"at", "once"},
};

static void add_text(json_t *request, const char *name, const char *text)
{
	if (text)
		json_object_set_new(request, name, json_text(view_of(text)));
}

/* The host checks it, too; but what is wrong is not to make a store first. */
static int check_schedule(
	const char *type_name, const char *value, const char *zone, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	enum schedule_type type;

	if (schedule_type_parse(type_name, &type, err) < 0)
		return -1;
	return schedule_parse(type, value, zone ? zone : "UTC", 0, &schedule, err);
}

static int add_schedule(const struct arguments *args, json_t *request, struct error *err)
{
	int count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(schedules); i++) {
		const char *value = arguments_value(args, schedules[i].option);

		if (!value)
			continue;
		if (check_schedule(schedules[i].type, value, arguments_value(args, "tz"), err) <
			0)
			return -1;
		count++;
		add_text(request, "schedule_type", schedules[i].type);
		add_text(request, "schedule_value", value);
	}
	if (count == 1)
		return 0;
	error_set(err, ERROR_INVALID, "%s of '--cron', '--every' and '--at' is needed",
		count ? "only one" : "one");
	return error_hint(err,
		"at nine every day is \"--cron '0 9 * * *'\", every two hours '--every 2h'");
}

static int build(const struct arguments *args, json_t **ret_request, struct error *err)
{
	CLEANUP(json_decrefp)
	json_t *request = json_pack("{s:s, s:o, s:o}", "op", "schedule_task", "group",
		json_text(view_of(args->words[0])), "prompt",
		json_text(view_of(args->words[1])));

	if (add_schedule(args, request, err) < 0)
		return -1;
	add_text(request, "tz", arguments_value(args, "tz"));
	add_text(request, "missed", arguments_value(args, "missed"));
	add_text(request, "context_mode", arguments_value(args, "context"));
	*ret_request = TAKE(request);
	return 0;
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	CLEANUP(freep) char *id = NULL;
	CLEANUP(freep) char *next = NULL;
	const json_t *task;
	json_t *request;

	if (build(args, &request, err) < 0 || host_call(request, &reply, err) < 0)
		return -1;
	task = json_object_get(reply, "task");
	id = task_text(task, "id");
	next = task_next_run(task);
	if (cli->json)
		output_json(json_pack("{s:b, s:O}", "success", true, "task", task));
	else
		printf("task %s is scheduled; it runs next at %s\n", id, next);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "cron", "EXPRESSION",
		"minute, hour, day, month, weekday: '0 9 * * MON-FRI', @daily"},
	{0, "every", "DURATION", "after each 30s, 15m, 2h, 1d, 1w or 1h30m"},
	{0, "at", "TIME", "once: 2026-11-17T09:00, or with an offset: 2026-11-17T09:00+01:00"},
	{0, "tz", "ZONE", "its time zone, such as 'Europe/Berlin' (that of this machine)"},
	{0, "missed", "POLICY", "runs that nobody was there for: skip, once (default) or all"},
	{0, "context", "CONTEXT",
		"group (default): in its conversation; isolated: in one of its own"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw task add main --cron '0 9 * * MON-FRI' 'what is on my list today?'",
		"at nine on working days"},
	{"nanoclaw task add main --at 2026-11-17T18:30 --tz Europe/Berlin 'call Ann'",
		"once, on the clock in Berlin"},
	{"nanoclaw task add news --every 6h --context isolated 'any news? else be silent'",
		"every six hours, in a conversation of its own"},
	{0},
};

COMMAND(task_add) = {
	.name = "task add",
	.summary = "have a group's agent do something at a time, or again and again",
	.usage = "<group> (--cron <expression> | --every <duration> | --at <time>) <prompt>",
	.description =
		"When its time has come, the agent of the group gets the prompt, and what it answers\n"
		"goes to the group's chat; an empty answer sends nothing.\n"
		"\n"
		"Where clocks change, a time that they jump over happens right after the jump, one\n"
		"that they show twice happens once, and an interval is elapsed time. A run that was\n"
		"missed, because the host was not running, is made up for once unless '--missed' says\n"
		"otherwise.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.run = run,
};
