#include "cli/command.h"

static const struct example examples[] = {
	{"nanoclaw user-skill assign skill_morning_brief_001 family", "'/brief' works there"},
	{0},
};

COMMAND(user_skill_assign) = {
	.name = "user-skill assign",
	.summary = "give a user skill to a group",
	.usage = "<id> <group>",
	.description =
		"From then on a message there that begins with a command of the skill runs it, as long\n"
		"as its status is Active or Refined.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
};
