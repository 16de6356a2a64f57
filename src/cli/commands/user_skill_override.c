#include "cli/command.h"

static const struct option options[] = {
	{0, "remove", "ID", "take the variant away again"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill override family brief.md", "from now on the family has its own"},
	{"nanoclaw user-skill override family --remove skill_morning_brief_001",
		"and now it has not"},
	{0},
};

COMMAND(user_skill_override) = {
	.name = "user-skill override",
	.summary = "give a group its own variant of a user skill",
	.usage = "[options] <group> [[<id>] <file>]",
	.description =
		"The file is a whole skill with the ID of the one that it is a variant of. It is kept in\n"
		"the store, and holds in this group instead of what all others have. With a group\n"
		"alone its variants are listed.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 3,
	.completes = COMPLETE_FILES,
};
