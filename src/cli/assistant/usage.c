#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/quote.h"
#include "cli/assistant/assistant.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/table.h"
#include "format/json.h"
#include "host/money/budget.h"
#include "host/money/prices.h"
#include "ledger/groups.h"
#include "ledger/usage.h"
#include "time/timestamp.h"

#define DEFAULT_DAYS 7
#define MOST_DAYS    3660
#define DAY_SECONDS  (24 * 60 * 60)
#define BAR_WIDTH    20

/* What is shown: the sums of some days, and the budgets. */
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

static const char *const by_names[] = {
	[USAGE_BY_GROUP] = "group",
	[USAGE_BY_MODEL] = "model",
	[USAGE_BY_DAY] = "day",
};

static void usage_report_release(struct usage_report *report)
{
	for (size_t i = 0; i < report->budget_count; i++)
		budget_release(&report->budgets[i]);
	free(report->budgets);
	usage_sums_release(&report->sums);
}

static int usage_line_percent(const struct budget_line *line)
{
	double percent = (double)line->used * 100 / (double)line->limit;

	return percent < 100000 ? (int)percent : 100000;
}

/* --- arguments ------------------------------------------------------ */

static int read_by(const struct arguments *args, enum usage_by *ret_by, struct error *err)
{
	const char *word = arguments_value(args, "by");
	CLEANUP(freep) char *shown = NULL;

	*ret_by = args->count ? USAGE_BY_DAY : USAGE_BY_GROUP;
	if (!word)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(by_names); i++)
		if (!strcmp(word, by_names[i])) {
			*ret_by = (enum usage_by)i;
			return 0;
		}
	shown = quote(view_of(word));
	return error_set(
		err, ERROR_INVALID, "'--by' must be group, model or day, not %s", shown);
}

static int read_days(const struct arguments *args, int64_t *ret_days, struct error *err)
{
	*ret_days = DEFAULT_DAYS;
	if (arguments_flag(args, "month") && args->count && args->words[0][0] >= '0' &&
		args->words[0][0] <= '9') {
		error_set(err, ERROR_INVALID, "'--month' is this month, and takes no number");
		return error_hint(err, "'--days 60' shows more");
	}
	if (arguments_value(args, "days") && arguments_flag(args, "month"))
		return error_set(
			err, ERROR_INVALID, "'--days' and '--month' cannot be used together");
	return arguments_number(args, "days", 1, MOST_DAYS, ret_days, err);
}

static void set_days(
	struct usage_report *report, const char *today, int64_t days, bool whole_month)
{
	struct civil date = {0};

	memcpy(report->to, today, sizeof(report->to));
	memcpy(report->from, today, sizeof(report->from));
	if (whole_month) {
		memcpy(report->from + strlen("2026-11-"), "01", 2);
		return;
	}
	sscanf(today, "%d-%d-%d", &date.year, &date.month, &date.day);
	date = civil_of(civil_seconds(&date) - (days - 1) * DAY_SECONDS);
	snprintf(report->from, sizeof(report->from), "%04u-%02u-%02u",
		(unsigned)date.year % 10000, (unsigned)date.month % 100,
		(unsigned)date.day % 100);
}

/* --- the report ------------------------------------------------------ */

static int add_budget(struct usage_report *report, const struct budget_desk *desk,
	const char *folder, struct error *err)
{
	GROW(report->budgets, report->budget_count, report->budget_cap);
	report->budgets[report->budget_count] = BUDGET_INIT;
	if (budget_look(desk, folder, timestamp_now(), &report->budgets[report->budget_count],
		    err) < 0)
		return -1;
	report->budget_count++;
	return 0;
}

/* All together first, because it knows the day; then the groups. */
static int add_budgets(struct usage_report *report, const struct budget_desk *desk,
	const char *folder, struct error *err)
{
	CLEANUP(group_list_release) struct group_list groups = {0};

	if (store_group_list(desk->store, &groups, err) < 0)
		return -1;
	for (size_t i = 0; i < groups.count; i++)
		if ((!folder || !strcmp(folder, groups.list[i].folder)) &&
			add_budget(report, desk, groups.list[i].folder, err) < 0)
			return -1;
	return 0;
}

/* A removed group is known by its usage. */
static int find_folder(
	struct assistant *assistant, const char *word, char **ret_folder, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	struct usage_filter all = {word, "0000-00-00", "9999-99-99"};
	struct registry registry = assistant_registry(assistant);
	struct usage_figures figures;

	if (store_group_find(assistant->store, word, &group, err) < 0)
		return -1;
	if (group.folder) {
		*ret_folder = TAKE(group.folder);
		return 0;
	}
	if (store_usage_sum(assistant->store, &all, &figures, err) < 0)
		return -1;
	if (!figures.requests)
		return registry_unknown(&registry, word, err);
	*ret_folder = xstrdup(word);
	return 0;
}

static int report_fill(struct usage_report *report, struct assistant *assistant,
	const struct arguments *args, struct error *err)
{
	CLEANUP(container_cache_release) struct container_cache containers = {0};
	struct budget_desk desk = {
		assistant->store, assistant->project.root, &assistant->settings, &containers};
	CLEANUP(freep) char *folder = NULL;
	struct usage_filter filter;
	int64_t days;

	if (read_by(args, &report->by, err) < 0 || read_days(args, &days, err) < 0 ||
		(args->count && find_folder(assistant, args->words[0], &folder, err) < 0) ||
		add_budget(report, &desk, NULL, err) < 0 ||
		add_budgets(report, &desk, folder, err) < 0)
		return -1;
	report->zone = zone_name(report->budgets[0].zone);
	set_days(report, report->budgets[0].day, days, arguments_flag(args, "month"));
	filter = (struct usage_filter){folder, report->from, report->to};
	if (store_usage_list(assistant->store, &filter, report->by, &report->sums, err) < 0)
		return -1;
	return store_usage_sum(assistant->store, &filter, &report->total, err);
}

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

	table_head(&table, by_names[report->by], "requests", "in", "out", "cache read",
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

static void usage_table_print(const struct cli *cli, const struct usage_report *report)
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
	/* Each group's report repeats the limits of all groups together; show them once. */
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

/* --- for programs ------------------------------------------------------------ */

static json_t *figures_json(const struct usage_figures *f)
{
	bool known = f->cost_micro_usd || f->unpriced < f->requests || !f->requests;

	return json_build("requests:I inputTokens:I outputTokens:I cacheReadTokens:I "
			  "cacheWriteTokens:I costMicroUsd:o unpricedRequests:I "
			  "estimatedRequests:I",
		f->requests, f->input_tokens, f->output_tokens, f->cache_read_tokens,
		f->cache_write_tokens,
		known ? json_integer((json_int_t)f->cost_micro_usd) : json_null(), f->unpriced,
		f->estimated);
}

static const char *line_state(const struct budget *budget, const struct budget_line *line)
{
	if (budget_line_is_used_up(line))
		return budget->is_free ? "free" : "paused";
	return budget_line_is_low(line) ? "low" : "ok";
}

static json_t *line_json(const struct budget *budget, const struct budget_line *line)
{
	bool tokens = line->kind == BUDGET_DAILY_TOKENS;
	char until[TIMESTAMP_SIZE];

	timestamp_format(line->until, until);
	return json_build("group:s limit:s unit:s amount:I used:I percent:i state:s "
			  "until:s",
		line->total ? NULL : budget->folder, budget_kind_name(line->kind),
		tokens ? "tokens" : "microUsd", line->limit, line->used,
		usage_line_percent(line), line_state(budget, line), until);
}

static json_t *usage_json(const struct usage_report *report)
{
	json_t *rows = json_array();
	json_t *budgets = json_array();

	for (size_t i = 0; i < report->sums.count; i++) {
		json_t *row = figures_json(&report->sums.list[i].figures);

		json_object_set_new(row, by_names[report->by],
			json_text(view_of(report->sums.list[i].name)));
		json_array_append_new(rows, row);
	}
	for (size_t i = 0; i < report->budget_count; i++)
		for (size_t k = 0; k < report->budgets[i].count; k++) {
			const struct budget *budget = &report->budgets[i];

			if (!i || !budget->lines[k].total)
				json_array_append_new(
					budgets, line_json(budget, &budget->lines[k]));
		}
	return json_build("success:b from:s to:s timeZone:s by:s rows:o total:o budgets:o",
		true, report->from, report->to, report->zone, by_names[report->by], rows,
		figures_json(&report->total), budgets);
}

static int run_usage(struct cli *cli, const struct arguments *args, struct error *err)
{
	CLEANUP(assistant_release) struct assistant assistant = ASSISTANT_INIT;
	CLEANUP(usage_report_release) struct usage_report report = {0};

	if (assistant_look(&assistant, err) < 0)
		return -1;
	if (!assistant.store) {
		error_set(err, ERROR_INVALID, "this project has no usage yet");
		return error_hint(err, "'nanoclaw start' starts the assistant");
	}
	if (report_fill(&report, &assistant, args, err) < 0)
		return -1;
	if (cli->json)
		output_json(usage_json(&report));
	else
		usage_table_print(cli, &report);
	return EXIT_DONE;
}

static const struct option options[] = {
	{0, "by", "WHAT", "one line for each group, model or day"},
	{0, "days", "N", "the last N days, including today (7)"},
	{0, "month", NULL, "this month"},
	{0},
};

static const struct example examples[] = {
	{"nanoclaw usage", "last week's usage of each group, and the budgets"},
	{"nanoclaw usage family --month", "one group's usage this month, day by day"},
	{"nanoclaw usage --by model --days 30", "which models cost most"},
	{0},
};

COMMAND(usage) = {
	.name = "usage",
	.summary = "show usage, cost, and remaining budgets",
	.usage = "[<group>]",
	.description =
		"Tokens are the API's own figures; '~' marks sums that include estimates. Costs are\n"
		"computed from prices, which you can set in 'data/prices.json'; a model without a\n"
		"price counts like the dearest one. Days follow the installation's time zone. The\n"
		"command works without a running host. Set budgets with 'nanoclaw group config', or\n"
		"for all groups in '.env'.",
	.section = SECTION_ASSISTANT,
	.options = options,
	.examples = examples,
	.max_arguments = 1,
	.completes = {COMPLETE_GROUPS},
	.run = run_usage,
};
