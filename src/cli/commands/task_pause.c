#include "cli/command.h"

COMMAND(task_pause) = {
	.name = "task pause",
	.summary = "let a task rest: no more runs until 'task resume'",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
