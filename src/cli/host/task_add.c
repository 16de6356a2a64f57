#include <stdio.h>

#include "cli/helper.h"
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
		const char *value = helper_value(args, schedules[i].option);

		if (!value)
			continue;
		if (check_schedule(schedules[i].type, value, helper_value(args, "tz"), err) < 0)
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
	add_text(request, "tz", helper_value(args, "tz"));
	add_text(request, "missed", helper_value(args, "missed"));
	add_text(request, "context_mode", helper_value(args, "context"));
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

	if (build(args, &request, err) < 0 || task_change(request, &reply, err) < 0)
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

COMMAND_RUN(task_add, "task add", run);
