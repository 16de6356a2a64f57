#include "cli/command.h"

COMMAND(task_cancel) = {
	.name = "task cancel",
	.summary = "end a task for good",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
