#include "cli/command.h"

static const struct option options[] = {
	{0, "kind", "KIND", "only entries of this kind: tool, egress or budget"},
	{0, "last", "N", "at most so many, the latest (50)"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw audit family --last 10",
		"the last ten things that the agent of a group did"},
	{0},
};

COMMAND(audit) = {
	.name = "audit",
	.summary = "show what agents have asked for, and what became of it",
	.usage = "[<group>]",
	.description =
		"Every call of an agent is in this log, with its outcome: done, refused or\n"
		"failed. So is what it was refused on the network. It works with the host\n"
		"down, too.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
};
