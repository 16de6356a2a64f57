#include "cli/command.h"

static const struct option options[] = {
	{.name = "fix", .help = "as that of 'doctor'"},
	{0},
};

COMMAND(host_doctor) = {
	.name = "host-doctor",
	.summary = "look at the assistant alone, which 'doctor' shows with the rest",
	.section = SECTION_PLUMBING,
	.options = options,
};
