#include "cli/command.h"

static const struct example examples[] = {
	{"nanoclaw user-skill run skill_morning_brief_001 main 'only the afternoon'",
		"prints the answer"},
	{0},
};

COMMAND(user_skill_run) = {
	.name = "user-skill run",
	.summary = "run a user skill in a group",
	.usage = "<id> <group> [<text>]",
	.description =
		"As if somebody had sent its command and the text in the group. The host must be\n"
		"running, and the group must have the skill. The answer is printed.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 3,
};
