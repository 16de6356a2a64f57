#include "cli/command.h"

static const struct option options[] = {
	{0, "dry-run", NULL, "only say what would be taken"},
	{0, "with-secrets", NULL, "also the values in '.env' of names that are not set here"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw import ~/old-nanoclaw --dry-run", "what there is to take"},
	{"nanoclaw import ~/old-nanoclaw", "take it; the old one is not changed"},
	{0},
};

COMMAND(import) = {
	.name = "import",
	.summary = "bring a TypeScript NanoClaw v1 over",
	.usage = "[options] <folder>",
	.description =
		"Takes groups, chats, messages and tasks from its database, the folders of the\n"
		"groups with their memory, and what Claude has learned; says what it has taken and\n"
		"what not, and why. The old folder is not changed. Old messages are not answered\n"
		"again. The same import once more takes only what is new.\n"
		"\n"
		"The host must not run (exit code 4). A group of here with the same folder and\n"
		"another chat is exit code 2, and nothing is taken. docs/backup.md says more.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = COMPLETE_FOLDERS,
};
