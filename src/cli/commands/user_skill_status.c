#include "cli/command.h"

static const struct example examples[] = {
	{"nanoclaw user-skill status skill_trip_packing_004 approved",
		"somebody has looked at it"},
	{0},
};

static const char *const words[] = {
	"active", "approved", "observed", "proposed", "refined", "retired", NULL};

COMMAND(user_skill_status) = {
	.name = "user-skill status",
	.summary = "change the status of a user skill",
	.usage = "<id> <status>",
	.description =
		"The ways are observed, proposed, approved, active; between active and refined; from\n"
		"anywhere to retired, and from there to active. Who did it and when is recorded.",
	.section = SECTION_ASSISTANT,
	.examples = examples,
	.min_arguments = 2,
	.max_arguments = 2,
	.completes = COMPLETE_WORDS,
	.words = words,
};
