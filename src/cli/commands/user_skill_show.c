#include "cli/command.h"

static const struct option options[] = {
	{0, "group", "GROUP", "as it is for this group"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill show skill_morning_brief_001 --group family",
		"the family's variant, if it has one"},
	{0},
};

COMMAND(user_skill_show) = {
	.name = "user-skill show",
	.summary = "show a user skill, where it comes from, and how it has done",
	.usage = "[options] <id>",
	.description =
		"With its commands and schedules, what it needs, the groups that have it, each version\n"
		"with its uses and its quality score, and who brought it to its status.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
};
