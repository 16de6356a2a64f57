#include "cli/command.h"

static const struct option options[] = {
	{0, "wait", NULL, "wait for the answer, and print it"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw send main 'what is the time?' --wait", "prints the answer"},
	{0},
};

COMMAND(send) = {
	.name = "send",
	.summary = "send one message to a group's assistant",
	.usage = "<group> <text>",
	.description =
		"The group is named by its folder, its JID or its name. The message goes to the\n"
		"assistant, not to the people in the group, and the answer comes to the\n"
		"terminal: to '--wait', or to the next 'nanoclaw chat'. The host must be\n"
		"running.\n"
		"\n"
		"With '--wait' the exit code is 1 if there is an error instead of an answer.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
};
