#include "cli/command.h"

static const struct option options[] = {
	{0, "check", NULL, "only say what would change, and why"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw compose --check", "what would change, in all groups"},
	{"nanoclaw compose family", "make the CLAUDE.md of one group anew"},
	{0},
};

COMMAND(compose) = {
	.name = "compose",
	.summary = "make the CLAUDE.md of groups anew",
	.usage = "[<group>]",
	.description =
		"An agent reads 'groups/FOLDER/CLAUDE.md', which imports what all groups share\n"
		"('container/CLAUDE.md', the global memory in 'data/global.md'), what its skills\n"
		"ship, and what its 'container.json' says about MCP servers. It is made before\n"
		"each start of an agent; with this command it is made now. A group's own memory,\n"
		"'CLAUDE.local.md', is not touched.\n"
		"\n"
		"The exit code of '--check' is 1 if something would change, and 2 if the\n"
		"'container.json' of a group is wrong. 'nanoclaw group show' prints the text as\n"
		"the agent will see it.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
};
