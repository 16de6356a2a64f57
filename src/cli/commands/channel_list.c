#include "cli/command.h"

COMMAND(channel_list) = {
	.name = "channel list",
	.summary = "list the channels with their real state",
	.section = SECTION_ASSISTANT,
};
