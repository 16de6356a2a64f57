#include "cli/command.h"

COMMAND(group_remove) = {
	.name = "group remove",
	.summary = "remove a group with everything that belongs to it",
	.usage = "<group>",
	.description =
		"Deletes its messages, its session and its folder, memory included. Nothing of\n"
		"it is kept, so it asks first; '--yes' answers. The chat can be registered\n"
		"again. The main group cannot be removed.",
	.section = SECTION_ASSISTANT,
	.min_arguments = 1,
	.max_arguments = 1,
};
