#include "cli/command.h"

COMMAND(group_show) = {
	.name = "group show",
	.summary = "show a group: where it is, who may speak, its session",
	.usage = "<group>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
