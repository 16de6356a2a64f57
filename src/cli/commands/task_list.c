#include "cli/command.h"

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
};
