#include "cli/command.h"

static const struct option options[] = {
	{0, "category", "WORD", "only those of this category"},
	{0, "group", "GROUP", "only those that this group has"},
	{0, "status", "STATUS", "only those in this status"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill list --group family", "what the family group can use"},
	{0},
};

COMMAND(user_skill_list) = {
	.name = "user-skill list",
	.summary = "list user skills: what the assistant can do for a person",
	.usage = "[options]",
	.description =
		"Shown is the text that holds: with '--group' the variant of that group, else what was\n"
		"imported, else the file of the library.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
};
