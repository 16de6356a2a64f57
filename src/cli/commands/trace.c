#include "cli/command.h"

static const struct example examples[] = {
	{"nanoclaw trace t12", "what happened in the turn that an error message names"},
	{0},
};

COMMAND(trace) = {
	.name = "trace",
	.summary = "explain step by step what became of a message",
	.usage = "<message>",
	.description =
		"<message> is the id of a turn, as error messages have it ('t12'), or the id of\n"
		"a message. It works with the host down, too.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
};
