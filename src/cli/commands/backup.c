#include "cli/command.h"

static const struct option options[] = {
	{0, "with-secrets", NULL, "also the values in '.env', not only the names"},
	{0, "force", NULL, "replace a file that is there"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw backup ~/nanoclaw-monday.tar.gz", "also while the host runs"},
	{0},
};

COMMAND(backup) = {
	.name = "backup",
	.summary = "put the whole assistant into one file",
	.usage = "[options] <file>",
	.description =
		"The store, the folders of the groups and the data of the agents go into a tar\n"
		"archive that only you can read, with a list of checksums as its first member. The\n"
		"host may run: the store is copied as it is at one moment. Of '.env' the archive has\n"
		"the names alone, unless '--with-secrets' is given. Logs are left out.\n"
		"\n"
		"'nanoclaw restore FILE' brings it back; docs/backup.md says more.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.min_arguments = 1,
	.max_arguments = 1,
	.completes = COMPLETE_FILES,
};
