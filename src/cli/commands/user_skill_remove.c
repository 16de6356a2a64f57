#include "cli/command.h"

COMMAND(user_skill_remove) = {
	.name = "user-skill remove",
	.summary = "delete an imported user skill from the store",
	.usage = "<id>",
	.description =
		"A file of the library with the same ID holds again then. What was used of it stays in\n"
		"the history.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
