#include "cli/command.h"

COMMAND(user_skill_unassign) = {
	.name = "user-skill unassign",
	.summary = "take a user skill from a group",
	.usage = "<id> <group>",
	.section = SECTION_ASSISTANT,
	.min_arguments = 2,
	.max_arguments = 2,
};
