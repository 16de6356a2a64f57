#include "cli/command.h"

static const struct option options[] = {
	{0, "unset", NULL, "take the setting out of the file"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw group config family agent claude", "let Claude Code answer there"},
	{"nanoclaw group config family skills '[\"welcome\"]'", "only this skill"},
	{"nanoclaw group config family limits.seconds 1800", "half an hour for each run"},
	{"nanoclaw group config family budget.dailyDollars 5", "and no more on a day"},
	{"nanoclaw group config family mcpServers.db '{\"command\": \"db-mcp\"}'",
		"give its agent a tool"},
	{"nanoclaw group config family network.hosts '[\"example.com\", \"*.example.org\"]'",
		"let it reach these hosts"},
	{"nanoclaw group config family mounts --unset", "take all extra folders away"},
	{0},
};

COMMAND(group_config) = {
	.name = "group config",
	.summary = "show or change what the agent of a group is, gets and may use",
	.usage = "<group> [<setting> [<value>]]",
	.description =
		"The settings are agent, budget.NAME, limits.NAME, mcpServers.NAME, mounts,\n"
		"network.hosts, sandbox and skills. They stand in the file\n"
		"'groups/FOLDER/container.json', which can be edited by hand, too; only the\n"
		"setting that is given is changed there. A value is JSON, or else it is a text.\n"
		"An agent that is at work ends when its turn is done.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 3,
};
