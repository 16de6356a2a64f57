#include "cli/command.h"

static const struct option options[] = {
	{0, "chats", NULL, "chats that channels have told of, registered or not"},
	{0},
};

COMMAND(group_list) = {
	.name = "group list",
	.summary = "list the groups, or the chats that could become one",
	.section = SECTION_ASSISTANT,
	.options = options,
};
