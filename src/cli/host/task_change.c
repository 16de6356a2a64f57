/* "task pause", "task resume" and "task cancel": the same, but for the operation. */
#include <stdio.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/host/task_request.h"
#include "cli/output.h"
#include "util/json.h"

static int change(const struct cli *cli, const struct arguments *args, const char *operation,
	json_t **ret_task, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *task;

	if (host_call(json_pack("{s:s, s:o}", "op", operation, "task_id",
			      json_text(view_of(args->words[0]))),
		    &reply, err) < 0)
		return -1;
	task = json_object_get(reply, "task");
	if (cli->json)
		output_json(json_pack("{s:b, s:O}", "success", true, "task", task));
	*ret_task = json_incref(task);
	return 0;
}

static int pause_task(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *task = NULL;

	if (change(cli, args, "pause_task", &task, err) < 0)
		return -1;
	if (!cli->json)
		printf("task %s is paused\n", args->words[0]);
	return EXIT_DONE;
}

static int resume_task(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *task = NULL;
	CLEANUP(freep) char *next = NULL;

	if (change(cli, args, "resume_task", &task, err) < 0)
		return -1;
	next = task_next_run(task);
	if (!cli->json)
		printf("task %s is active; it runs next at %s\n", args->words[0], next);
	return EXIT_DONE;
}

static int cancel_task(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *task = NULL;

	if (change(cli, args, "cancel_task", &task, err) < 0)
		return -1;
	if (!cli->json)
		printf("task %s is cancelled\n", args->words[0]);
	return EXIT_DONE;
}

COMMAND(task_pause) = {
	.name = "task pause",
	.summary = "let a task rest: no more runs until 'task resume'",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = pause_task,
};

COMMAND(task_resume) = {
	.name = "task resume",
	.summary = "let a task run again, from now on",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = resume_task,
};

COMMAND(task_cancel) = {
	.name = "task cancel",
	.summary = "end a task for good",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = cancel_task,
};
