#include "cli/command.h"

static const struct example examples[] = {
	{"nanoclaw chat", "talk to the main group's assistant; Ctrl-D ends"},
	{"echo hello | nanoclaw chat family", "one message, and the answer to it"},
	{0},
};

COMMAND(chat) = {
	.name = "chat",
	.summary = "talk to the assistant at the terminal",
	.usage = "[<group>]",
	.description =
		"The group is named by its folder, its JID or its name; 'main' if it is not\n"
		"given. Answers that came while nobody was there are shown first.\n"
		"\n"
		"When standard input is no terminal, each line is a message, sent when the one\n"
		"before it is answered; the exit code is 1 if there was an error instead of an\n"
		"answer. The host must be running; 'nanoclaw start' is both.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.max_arguments = 1,
};
