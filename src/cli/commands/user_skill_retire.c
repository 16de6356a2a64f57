#include "cli/command.h"

COMMAND(user_skill_retire) = {
	.name = "user-skill retire",
	.summary = "take a user skill out of use",
	.usage = "<id>",
	.description =
		"It stays in the store with its history, and in the groups that have it. To take it up\n"
		"again: 'nanoclaw user-skill status <id> active'.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
