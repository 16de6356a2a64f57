#include "cli/command.h"

COMMAND(host_status) = {
	.name = "host-status",
	.summary = "the state of the assistant alone, which 'status' shows with the rest",
	.section = SECTION_PLUMBING,
};
