#include "cli/command.h"

static const struct option options[] = {
	{0, "fix", NULL, "write the files in the usual form, where that changes no word"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill check skills/planning", "one category"},
	{0},
};

COMMAND(user_skill_check) = {
	.name = "user-skill check",
	.summary = "show every fault of user skills, with its line",
	.usage = "[options] [<file or folder>...]",
	.description =
		"An error means that the skill cannot be used, a warning that its author should look.\n"
		"A folder is a library (category/id/SKILL.md), a category, or that of one skill;\n"
		"without any it is the library of the project. The exit code is 2 if there is an\n"
		"error, and 0 otherwise. No store is needed.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = -1,
	.completes = COMPLETE_FILES,
};
