#include "cli/command.h"

static const struct option options[] = {
	{0, "by", "WHAT", "one line for each group, model or day"},
	{0, "days", "N", "the last so many days, today included (7)"},
	{0, "month", NULL, "this month"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw usage", "what each group has used in the last week, and the budgets"},
	{"nanoclaw usage family --month", "what one group has used this month, day by day"},
	{"nanoclaw usage --by model --days 30", "which models cost most"},
	{0},
};

COMMAND(usage) = {
	.name = "usage",
	.summary = "show what agents have used, what it cost, and what of the budgets is left",
	.usage = "[<group>]",
	.description =
		"Tokens are the API's own figures. Costs are computed from prices that can be\n"
		"set in 'data/prices.json'; what has no price is shown as unknown. Days are\n"
		"those of the installation's time zone. It works with the host down, too.\n"
		"Budgets are set by 'nanoclaw group config', or for all groups in '.env'.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
};
