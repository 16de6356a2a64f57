#include "cli/command.h"

static const struct option options[] = {
	{.name = "stay", .help = "leave the host running when the chat ends"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw start", "talk to the assistant; Ctrl-D ends both"},
	{"echo notes | nanoclaw start", "one message, and the answer to it"},
	{0},
};

COMMAND(start) = {
	.name = "start",
	.summary = "start the assistant, and talk to it",
	.usage = "[<group>]",
	.description =
		"Starts the host and a chat with it, which is as 'nanoclaw chat'. When the chat\n"
		"ends, however it does, the host is stopped; what it has not answered then is\n"
		"answered the next time. A host that runs already is used, and left alone. What\n"
		"the host has to tell goes to 'logs/host.log'.\n"
		"\n"
		"The first time, on a terminal, you are asked for a name for the assistant. It\n"
		"becomes ASSISTANT_NAME in '.env'.",
	.section = SECTION_START,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
};
