#include <stdio.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/host/task_request.h"
#include "cli/output.h"
#include "util/json.h"

static void print_run(const json_t *run)
{
	CLEANUP(freep) char *time = task_text(run, "scheduledFor");
	CLEANUP(freep) char *outcome = task_text(run, "outcome");
	CLEANUP(freep) char *turn = task_text(run, "turn");
	CLEANUP(freep) char *result = task_text(run, "result");
	CLEANUP(freep) char *error = task_text(run, "error");
	const json_t *duration = json_object_get(run, "durationMs");
	CLEANUP(freep)
	char *took = json_is_number(duration)
			     ? xasprintf("%.1f s", json_number_value(duration) / 1000)
			     : xstrdup("-");

	printf("%-24s  %-9s  %8s  %-6s  %s%s\n", time, outcome, took, *turn ? turn : "-",
		result, error);
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *runs;

	if (host_look(json_pack("{s:s, s:o}", "op", "get_task_runs", "task_id",
			      json_text(view_of(args->words[0]))),
		    &reply, err) < 0)
		return -1;
	runs = json_object_get(reply, "runs");
	if (cli->json) {
		output_json(json_pack("{s:b, s:O, s:O}", "success", true, "task",
			json_object_get(reply, "task"), "runs", runs));
		return EXIT_DONE;
	}
	if (!json_array_size(runs)) {
		printf("task %s has not run yet\n", args->words[0]);
		return EXIT_DONE;
	}
	printf("%s%-24s  %-9s  %8s  %-6s  %s%s\n", output_color(cli, COLOR_BOLD), "due",
		"outcome", "took", "turn", "result", output_color(cli, COLOR_RESET));
	for (size_t i = 0; i < json_array_size(runs); i++)
		print_run(json_array_get(runs, i));
	return EXIT_DONE;
}

COMMAND(task_runs) = {
	.name = "task runs",
	.summary = "show what became of the runs of a task, the latest first",
	.usage = "<id>",
	.description = "'nanoclaw trace' explains a run by the id of its turn, such as 't12'.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
