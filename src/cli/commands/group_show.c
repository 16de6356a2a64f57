#include "cli/command.h"

COMMAND(group_show) = {
	.name = "group show",
	.summary = "show a group, its session, and what its agent reads",
	.usage = "<group>",
	.description =
		"At the end is the text that its agent reads when it starts, as 'nanoclaw compose'\n"
		"puts it together: each file with its name above it, and the memory of the group\n"
		"last. Imports in these files are shown as they stand there.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
