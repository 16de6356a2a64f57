#include "cli/command.h"

COMMAND(task_runs) = {
	.name = "task runs",
	.summary = "show what became of the runs of a task, the latest first",
	.usage = "<id>",
	.description = "'nanoclaw trace' explains a run by the id of its turn, such as 't12'.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
