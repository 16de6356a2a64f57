/* "task pause", "task resume" and "task cancel": the same, but for the operation. */
#include <stdio.h>

#include "cli/helper.h"
#include "cli/host/task_request.h"
#include "cli/output.h"
#include "util/json.h"

static int change(const struct cli *cli, const struct arguments *args, const char *operation,
	json_t **ret_task, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *task;

	if (task_change(json_pack("{s:s, s:o}", "op", operation, "task_id",
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

COMMAND_RUN(task_pause, "task pause", pause_task);
COMMAND_RUN(task_resume, "task resume", resume_task);
COMMAND_RUN(task_cancel, "task cancel", cancel_task);
