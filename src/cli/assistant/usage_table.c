#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/assistant/usage_report.h"
#include "cli/output.h"
#include "cli/table.h"
#include "host/money/prices.h"

#define BAR_WIDTH 20

/* --- bars -------------------------------------------------------------------- */

/* Blocks where there is a terminal, in eighths of a character; else plain signs. */
static void add_bar(struct table *table, double share, const char *color)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	CLEANUP(buf_release) struct buf bar = BUF_INIT;
	bool terminal = isatty(STDOUT_FILENO);
	double exact = share * BAR_WIDTH;
	int eights;
	int full;

	exact = exact > BAR_WIDTH ? BAR_WIDTH : exact;
	full = terminal ? (int)exact : (int)(exact + 0.5);
	eights = terminal ? (int)((exact - full) * 8) : 0;
	if (share > 0 && !full && !eights)
		*(terminal ? &eights : &full) = 1; /* little is not nothing */
	for (int i = 0; i < full; i++)
		buf_append_str(&bar, terminal ? "█" : "#");
	buf_append_str(&bar, eighths[eights]);
	table_cell(table, color, "%s", bar.data);
}

/* --- the table --------------------------------------------------------------- */

/* A model without a price counts as the most expensive one. */
static char *cost_text(const struct usage_figures *figures)
{
	CLEANUP(freep) char *dollars = amount_dollars(figures->cost_micro_usd);

	if (!figures->unpriced)
		return TAKE(dollars);
	/* Counted by an earlier version, which left it out. */
	if (figures->unpriced >= figures->requests && !figures->cost_micro_usd)
		return xstrdup("unknown");
	return xasprintf("up to %s", dollars);
}

static void usage_row_add(struct table *table, const char *name,
	const struct usage_figures *figures, double share)
{
	const int64_t numbers[] = {
		figures->requests,
		figures->input_tokens,
		figures->output_tokens,
		figures->cache_read_tokens,
		figures->cache_write_tokens,
	};
	CLEANUP(freep) char *cost = cost_text(figures);

	table_row(table);
	table_cell(table, NULL, "%s", *name ? name : "(unknown)");
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		CLEANUP(freep) char *amount = amount_tokens(numbers[i]);

		/* Estimates are of what goes in and out, not of the cache. */
		table_cell(table, NULL, "%s%s",
			figures->estimated && (i == 1 || i == 2) ? "~" : "", amount);
	}
	table_cell(table, NULL, "%s", cost);
	add_bar(table, share, COLOR_CYAN);
}

/* Bars show money, or tokens if no price is known. */
static double figures_weight(
	const struct usage_report *report, const struct usage_figures *figures)
{
	return report->total.cost_micro_usd ? (double)figures->cost_micro_usd
					    : (double)usage_tokens(figures);
}

static void print_sums(const struct cli *cli, const struct usage_report *report)
{
	/* All but the name and the bar are numbers. */
	CLEANUP(table_release) struct table table = {.right = 0x7e};
	double most = 0;

	table_head(&table, usage_by_name(report->by), "requests", "in", "out", "cache read",
		"cache write", "cost", NULL);
	for (size_t i = 0; i < report->sums.count; i++) {
		double own = figures_weight(report, &report->sums.list[i].figures);

		most = own > most ? own : most;
	}
	for (size_t i = 0; i < report->sums.count; i++) {
		const struct usage_figures *figures = &report->sums.list[i].figures;

		usage_row_add(&table, report->sums.list[i].name, figures,
			most > 0 ? figures_weight(report, figures) / most : 0);
	}
	if (report->sums.count > 1)
		usage_row_add(&table, "total", &report->total, 0);
	table_print(&table, cli);
}

/* --- budgets ----------------------------------------------------------------- */

static const char *budget_color(const struct budget_line *line)
{
	if (budget_line_is_used_up(line))
		return COLOR_RED;
	return budget_line_is_low(line) ? COLOR_YELLOW : COLOR_GREEN;
}

static void budget_line_add(
	struct table *table, const struct budget *budget, const struct budget_line *line)
{
	CLEANUP(freep) char *text = budget_line_text(line);
	CLEANUP(freep) char *until = budget_time_text(budget, line->until);

	table_row(table);
	table_cell(table, NULL, "%s", line->total ? "all groups" : budget->folder);
	table_cell(table, NULL, "%s", text);
	table_cell(table, NULL, "%d %%", usage_line_percent(line));
	add_bar(table, line->used > 0 ? (double)line->used / (double)line->limit : 0,
		budget_color(line));
	if (budget_line_is_used_up(line) && !budget->is_free)
		table_cell(table, NULL, "paused until %s", until);
}

void usage_table_print(const struct cli *cli, const struct usage_report *report)
{
	CLEANUP(table_release) struct table table = {.indent = 2, .right = 1u << 2};

	if (report->sums.count) {
		printf("from %s to %s (%s)\n\n", report->from, report->to, report->zone);
		print_sums(cli, report);
	} else {
		printf("nothing was used from %s to %s (%s)\n", report->from, report->to,
			report->zone);
	}
	if (report->total.unpriced)
		printf("\nSome models have no price, and count like the dearest one:\n'nanoclaw "
		       "usage --by model' shows which. Set their prices in "
		       "'data/prices.json'.\n");
	if (report->total.estimated)
		printf("\n~ includes estimates: the server did not say how many tokens %" PRId64
		       " request%s took.\n",
			report->total.estimated, plural(report->total.estimated));
	/* Those of all groups are with each group; they are shown once. */
	table_line(&table, NULL, "");
	table_line(&table, COLOR_BOLD, "budgets");
	for (size_t i = 0; i < report->budget_count; i++)
		for (size_t k = 0; k < report->budgets[i].count; k++)
			if (!i || !report->budgets[i].lines[k].total)
				budget_line_add(&table, &report->budgets[i],
					&report->budgets[i].lines[k]);
	if (table.columns)
		table_print(&table, cli);
}
