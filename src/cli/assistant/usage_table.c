#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/assistant/usage_report.h"
#include "cli/output.h"
#include "host/amounts.h"

#define BAR_WIDTH 20

enum column {
	COLUMN_NAME,
	COLUMN_REQUESTS,
	COLUMN_INPUT,
	COLUMN_OUTPUT,
	COLUMN_CACHE_READ,
	COLUMN_CACHE_WRITE,
	COLUMN_COST,
	COLUMN_COUNT,
};

struct row {
	char *cells[COLUMN_COUNT];
	double share; /* of the largest one */
};

static void row_release(struct row *row)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		free(row->cells[i]);
}

/* --- bars -------------------------------------------------------------------- */

/* Blocks where there is a terminal, in eighths of a character; else plain signs. */
static void print_bar(const struct cli *cli, double share, const char *color)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	bool terminal = isatty(STDOUT_FILENO);
	double exact = share * BAR_WIDTH;
	int eights;
	int full;

	exact = exact > BAR_WIDTH ? BAR_WIDTH : exact;
	full = terminal ? (int)exact : (int)(exact + 0.5);
	eights = terminal ? (int)((exact - full) * 8) : 0;
	if (share > 0 && !full && !eights)
		*(terminal ? &eights : &full) = 1; /* little is not nothing */
	fputs(output_color(cli, color), stdout);
	for (int i = 0; i < full; i++)
		fputs(terminal ? "█" : "#", stdout);
	fputs(eighths[eights], stdout);
	fputs(output_color(cli, COLOR_RESET), stdout);
}

/* --- the table --------------------------------------------------------------- */

/* A sum that leaves something out says so. */
static char *cost_text(const struct usage_figures *figures)
{
	CLEANUP(freep) char *dollars = amount_dollars(figures->cost_micro_usd);

	if (!figures->unpriced)
		return TAKE(dollars);
	if (figures->unpriced >= figures->requests)
		return xstrdup("unknown");
	return xasprintf("%s + ?", dollars);
}

static struct row make_row(const char *name, const struct usage_figures *figures)
{
	return (struct row){
		.cells =
			{
				[COLUMN_NAME] = output_first_line(*name ? name : "(not told)"),
				[COLUMN_REQUESTS] = amount_tokens(figures->requests),
				[COLUMN_INPUT] = amount_tokens(figures->input_tokens),
				[COLUMN_OUTPUT] = amount_tokens(figures->output_tokens),
				[COLUMN_CACHE_READ] = amount_tokens(figures->cache_read_tokens),
				[COLUMN_CACHE_WRITE] =
					amount_tokens(figures->cache_write_tokens),
				[COLUMN_COST] = cost_text(figures),
			},
	};
}

/* What bars are about: money, or tokens where nobody knows a price. */
static double weight(const struct usage_report *report, const struct usage_figures *figures)
{
	return report->total.cost_micro_usd ? (double)figures->cost_micro_usd
					    : (double)usage_tokens(figures);
}

static void print_row(
	const struct cli *cli, const struct row *row, const int *widths, bool with_bar)
{
	printf("%-*s", widths[COLUMN_NAME], row->cells[COLUMN_NAME]);
	for (size_t i = COLUMN_REQUESTS; i < COLUMN_COUNT; i++)
		printf("  %*s", widths[i], row->cells[i]);
	if (with_bar && row->share > 0) {
		printf("  ");
		print_bar(cli, row->share, COLOR_CYAN);
	}
	printf("\n");
}

static void print_rows(
	const struct cli *cli, const struct row *rows, size_t count, const char *by)
{
	CLEANUP(row_release)
	struct row head = {{xstrdup(by), xstrdup("requests"), xstrdup("in"), xstrdup("out"),
		xstrdup("cache read"), xstrdup("cache write"), xstrdup("cost")}};
	int widths[COLUMN_COUNT];

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		widths[i] = (int)strlen(head.cells[i]);
		for (size_t k = 0; k < count; k++)
			if ((int)strlen(rows[k].cells[i]) > widths[i])
				widths[i] = (int)strlen(rows[k].cells[i]);
	}
	fputs(output_color(cli, COLOR_BOLD), stdout);
	print_row(cli, &head, widths, false);
	fputs(output_color(cli, COLOR_RESET), stdout);
	/* The last one is the sum of the others. */
	for (size_t i = 0; i < count; i++)
		if (i + 1 < count || count > 2)
			print_row(cli, &rows[i], widths, i + 1 < count);
}

static void print_sums(const struct cli *cli, const struct usage_report *report)
{
	size_t count = report->sums.count;
	struct row *rows = xcalloc(count + 1, sizeof(*rows));
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		double own = weight(report, &report->sums.list[i].figures);

		most = own > most ? own : most;
		rows[i] = make_row(report->sums.list[i].name, &report->sums.list[i].figures);
	}
	for (size_t i = 0; i < count && most > 0; i++)
		rows[i].share = weight(report, &report->sums.list[i].figures) / most;
	rows[count] = make_row("total", &report->total);
	print_rows(cli, rows, count + 1, usage_by_name(report->by));
	for (size_t i = 0; i <= count; i++)
		row_release(&rows[i]);
	free(rows);
}

/* --- budgets ----------------------------------------------------------------- */

static const char *color_of(const struct budget_line *line)
{
	if (budget_line_is_used_up(line))
		return COLOR_RED;
	return budget_line_is_low(line) ? COLOR_YELLOW : COLOR_GREEN;
}

static void print_line(
	const struct cli *cli, const struct budget *budget, const struct budget_line *line)
{
	CLEANUP(freep) char *text = budget_line_text(line);
	CLEANUP(freep) char *until = budget_time_text(budget, line->until);

	printf("  %-12s  %-38s  %3d %%", line->total ? "all groups" : budget->folder, text,
		usage_line_percent(line));
	if (line->used > 0) {
		printf("  ");
		print_bar(cli, (double)line->used / (double)line->limit, color_of(line));
	}
	if (budget_line_is_used_up(line) && !budget->is_free)
		printf("  paused until %s", until);
	printf("\n");
}

/* Those of all groups are with each group; they are shown once. */
static void print_budgets(const struct cli *cli, const struct usage_report *report)
{
	size_t shown = 0;

	for (size_t i = 0; i < report->budget_count; i++)
		for (size_t k = 0; k < report->budgets[i].count; k++) {
			const struct budget *budget = &report->budgets[i];

			if (i && budget->lines[k].total)
				continue;
			if (!shown++)
				printf("\n%sbudgets%s\n", output_color(cli, COLOR_BOLD),
					output_color(cli, COLOR_RESET));
			print_line(cli, budget, &budget->lines[k]);
		}
}

void usage_table_print(const struct cli *cli, const struct usage_report *report)
{
	if (report->sums.count) {
		printf("from %s to %s (%s)\n\n", report->from, report->to, report->zone);
		print_sums(cli, report);
	} else {
		printf("nothing was used from %s to %s (%s)\n", report->from, report->to,
			report->zone);
	}
	if (report->total.unpriced)
		printf("\nThe prices of some models are not known: 'nanoclaw usage --by model' "
		       "shows which.\nSet them in 'data/prices.json'.\n");
	print_budgets(cli, report);
}
