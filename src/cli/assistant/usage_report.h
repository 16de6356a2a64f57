/*
 * The data of `nanoclaw usage`: the sums over some days, and the budgets. usage.c collects it,
 * usage_table.c prints it.
 */
#ifndef CLI_ASSISTANT_USAGE_REPORT_H
#define CLI_ASSISTANT_USAGE_REPORT_H

#include "cli/command.h"
#include "host/money/budget.h"
#include "ledger/usage.h"

struct usage_report {
	char from[USAGE_DAY_SIZE];
	char to[USAGE_DAY_SIZE];
	const char *zone;
	enum usage_by by;
	struct usage_sums sums;
	struct usage_figures total;
	struct budget *budgets; /* of each group, and of all groups together */
	size_t budget_count;
	size_t budget_cap;
};

void usage_report_release(struct usage_report *report);

const char *usage_by_name(enum usage_by by);

int usage_line_percent(const struct budget_line *line);

void usage_table_print(const struct cli *cli, const struct usage_report *report);

#endif
