#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "cli/assistant/assistant.h"
#include "cli/assistant/usage_report.h"
#include "cli/command.h"
#include "cli/output.h"
#include "format/json.h"
#include "ledger/groups.h"
#include "time/timestamp.h"

#define DEFAULT_DAYS 7
#define MOST_DAYS    3660
#define DAY_SECONDS  (24 * 60 * 60)

static const char *const by_names[] = {
	[USAGE_BY_GROUP] = "group",
	[USAGE_BY_MODEL] = "model",
	[USAGE_BY_DAY] = "day",
};

const char *usage_by_name(enum usage_by by)
{
	return by_names[by];
}

void usage_report_release(struct usage_report *report)
{
	for (size_t i = 0; i < report->budget_count; i++)
		budget_release(&report->budgets[i]);
	free(report->budgets);
	usage_sums_release(&report->sums);
}

int usage_line_percent(const struct budget_line *line)
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
