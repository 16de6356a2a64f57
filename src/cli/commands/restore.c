#include "cli/command.h"

static const struct option options[] = {
	{0, "undo", NULL, "put back what the last restore has replaced"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw restore ~/nanoclaw-monday.tar.gz", "the assistant as it was then"},
	{"nanoclaw restore --undo", "as it was before that"},
	{0},
};

COMMAND(restore) = {
	.name = "restore",
	.summary = "bring the assistant back from a backup",
	.usage = "(<file> | --undo)",
	.description =
		"The file is one of 'nanoclaw backup'. All of it is checked before anything is\n"
		"replaced: the list, every checksum, the store. Then the store, 'groups' and 'data'\n"
		"are replaced together; after a crash the next command finishes that. What was there\n"
		"is kept in 'store/restore/before', and '--undo' puts it back.\n"
		"\n"
		"The host must not run (exit code 4). '.env' is never overwritten: names that the\n"
		"backup knows and '.env' has not are listed.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = COMPLETE_FILES,
};
