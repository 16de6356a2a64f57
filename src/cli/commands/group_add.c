#include "cli/command.h"

static const struct option options[] = {
	{0, "folder", "FOLDER", "its folder below 'groups' (made from the name)"},
	{0, "trigger", "TEXT", "what a message begins with to be answered (@Andy)"},
	{0, "no-trigger", NULL, "answer every message"},
	{0, "instructions", "TEXT", "the beginning of its memory"},
	{0, "allow", "SENDER", "listen to this sender only; may be given more than once"},
	{0, "agent", "COMMAND", "its agent, instead of NANOCLAW_AGENT"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw group add 120363336345536173@g.us 'Family Chat'",
		"answers '@Andy …' there, in the folder family-chat"},
	{"nanoclaw group add 4915112345@s.whatsapp.net Me --folder main",
		"main is reached there, too"},
	{0},
};

COMMAND(group_add) = {
	.name = "group add",
	.summary = "register a chat as a group",
	.usage = "<jid> <name>",
	.description =
		"Makes the folder 'groups/FOLDER' with its memory and logs, and listens to that\n"
		"chat from now on. 'nanoclaw group list --chats' shows chats that could be\n"
		"registered. In a chat between two no trigger is needed.\n"
		"\n"
		"With '--folder main' the main group gets this chat in the place of the one it\n"
		"has; 'local:main' takes it back to the terminal.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
};
