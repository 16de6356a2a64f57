#include "cli/command.h"

static const struct option options[] = {
	{0, "force", NULL, "replace a file that is there"},
	{0, "group", "GROUP", "the variant of this group, if it has one"},
	{0, "to", "FILE", "write it there", COMPLETE_FILES},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw user-skill export skill_trip_packing_004 --to packing.md",
		"for somebody else"},
	{0},
};

COMMAND(user_skill_export) = {
	.name = "user-skill export",
	.summary = "print a user skill, or write it to a file",
	.usage = "[options] <id>",
	.description =
		"The text is that of the store, byte for byte, but that its source and status are those\n"
		"that the store knows. Imported again it is the same.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
};
