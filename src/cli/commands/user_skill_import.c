#include "cli/command.h"

static const struct option options[] = {
	{0, "source", "SOURCE", "where it comes from, such as marketplace"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill import packing.md --source marketplace",
		"a skill that was bought"},
	{0},
};

COMMAND(user_skill_import) = {
	.name = "user-skill import",
	.summary = "take a user skill from a file into the store",
	.usage = "[options] <file>",
	.description =
		"It is in the database only then, and holds over a file of the library with the same\n"
		"ID. Without '--source' it comes from where the file says. The same file again changes\n"
		"nothing.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = COMPLETE_FILES,
};
