#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/host/place.h"
#include "cli/host/task_request.h"
#include "cli/output.h"
#include "util/json.h"

#define COLUMNS 5

struct row {
	char *cells[COLUMNS];
};

static void row_release(struct row *row)
{
	for (size_t i = 0; i < COLUMNS; i++)
		free(row->cells[i]);
}

static struct row row_of(const json_t *task)
{
	CLEANUP(freep) char *type = task_text(task, "scheduleType");
	CLEANUP(freep) char *value = task_text(task, "scheduleValue");
	CLEANUP(freep) char *status = task_text(task, "status");
	CLEANUP(freep) char *next = task_next_run(task);
	bool active = !strcmp(status, "active");

	return (struct row){{
		task_text(task, "id"),
		task_text(task, "group"),
		xstrdup(active ? next : status),
		!strcmp(type, "interval") ? xasprintf("every %s", value)
		: !strcmp(type, "once")   ? xstrdup("once")
					  : xstrdup(value),
		task_text(task, "prompt"),
	}};
}

static void measure(const struct row *row, int *widths)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		int width = (int)strlen(row->cells[i]);

		widths[i] = width > widths[i] ? width : widths[i];
	}
}

/* The prompt comes last, and may be as long as it is. */
static void print_row(const struct row *row, const int *widths)
{
	for (size_t i = 0; i < COLUMNS - 1; i++)
		printf("%-*s  ", widths[i], row->cells[i]);
	printf("%s\n", row->cells[COLUMNS - 1]);
}

static void print_tasks(const struct cli *cli, const json_t *tasks)
{
	CLEANUP(row_release)
	struct row head = {{xstrdup("id"), xstrdup("group"), xstrdup("next run"),
		xstrdup("schedule"), xstrdup("prompt")}};
	int widths[COLUMNS] = {0};

	measure(&head, widths);
	for (size_t i = 0; i < json_array_size(tasks); i++) {
		CLEANUP(row_release) struct row row = row_of(json_array_get(tasks, i));

		measure(&row, widths);
	}
	printf("%s", output_color(cli, COLOR_BOLD));
	print_row(&head, widths);
	printf("%s", output_color(cli, COLOR_RESET));
	for (size_t i = 0; i < json_array_size(tasks); i++) {
		CLEANUP(row_release) struct row row = row_of(json_array_get(tasks, i));

		print_row(&row, widths);
	}
}

static int run(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	CLEANUP(json_decrefp) json_t *reply = NULL;
	json_t *request =
		json_pack("{s:s, s:b}", "op", "list_tasks", "all", arguments_flag(args, "all"));
	json_t *tasks;

	if (args->count)
		json_object_set_new(request, "group", json_text(view_of(args->words[0])));
	if (host_look(request, &reply, &failure) < 0) {
		if (failure.errnum != ENOENT || args->count) {
			*err = failure;
			failure = ERROR_INIT;
			return -1;
		}
		reply = json_pack("{s:[]}", "tasks");
	}
	tasks = json_object_get(reply, "tasks");
	if (cli->json)
		output_json(json_pack("{s:b, s:O}", "success", true, "tasks", tasks));
	else if (json_array_size(tasks))
		print_tasks(cli, tasks);
	else
		printf("no tasks yet: 'nanoclaw task add --help' says how to make one\n");
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "all", NULL, "also those that are completed or cancelled"},
	{0},
};

COMMAND(task_list) = {
	.name = "task list",
	.summary = "list scheduled tasks, with their next runs in their own time zones",
	.usage = "[<group>]",
	.section = SECTION_ASSISTANT,
	.options = options,
	.max_arguments = 1,
	.run = run,
};
