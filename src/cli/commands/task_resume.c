#include "cli/command.h"

COMMAND(task_resume) = {
	.name = "task resume",
	.summary = "let a task run again, from now on",
	.usage = "<id>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
