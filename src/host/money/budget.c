#include "host/money/budget.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "host/base/installation.h"
#include "host/money/prices.h"
#include "ledger/groups.h"
#include "time/timestamp.h"

#define DOLLAR       1000000
#define WARN_PERCENT 80
#define MOST_TOKENS  1000000000000000
#define MOST_DOLLARS 1000000

static const struct {
	const char *name;
	const char *setting;
	const char *total_setting;
	bool dollars;
	bool monthly;
} kinds[BUDGET_KIND_COUNT] = {
	[BUDGET_DAILY_TOKENS] = {"dailyTokens", "NANOCLAW_DAILY_TOKENS",
		"NANOCLAW_TOTAL_DAILY_TOKENS", false, false},
	[BUDGET_DAILY_DOLLARS] = {"dailyDollars", "NANOCLAW_DAILY_DOLLARS",
		"NANOCLAW_TOTAL_DAILY_DOLLARS", true, false},
	[BUDGET_MONTHLY_DOLLARS] = {"monthlyDollars", "NANOCLAW_MONTHLY_DOLLARS",
		"NANOCLAW_TOTAL_MONTHLY_DOLLARS", true, true},
};

void budget_release(struct budget *budget)
{
	free(budget->folder);
	zone_free(budget->zone);
	*budget = BUDGET_INIT;
}

const char *budget_kind_name(enum budget_kind kind)
{
	return kinds[kind].name;
}

/* --- limits ------------------------------------------------------------------ */

static int read_setting(const struct settings *settings, const char *name, bool dollars,
	uint64_t *ret_amount, struct error *err)
{
	const char *text = settings_get(settings, name);
	double number;
	char *end;

	*ret_amount = CONTAINER_NO_LIMIT;
	if (!text || !strcmp(text, "none"))
		return 0;
	number = strtod(text, &end);
	if (end != text && !*end && number >= (dollars ? 0.01 : 1) &&
		number <= (dollars ? (double)MOST_DOLLARS : (double)MOST_TOKENS)) {
		*ret_amount = (uint64_t)(number * (dollars ? DOLLAR : 1) + 0.5);
		return 0;
	}
	CLEANUP(freep) char *shown = quote(view_of(text));

	error_set(err, ERROR_INVALID, "%s is %s, and must be %s, or 'none'", name, shown,
		dollars ? "dollars from 0.01 to 1000000" : "a number of tokens");
	return error_hint(err, "change it in '.env' or in the environment");
}

struct budget_limits {
	uint64_t amounts[BUDGET_KIND_COUNT];
	int64_t warn_percent;
};

static int read_settings(const struct settings *settings, bool total,
	struct budget_limits *ret_limits, struct error *err)
{
	for (size_t i = 0; i < BUDGET_KIND_COUNT; i++)
		if (read_setting(settings, total ? kinds[i].total_setting : kinds[i].setting,
			    kinds[i].dollars, &ret_limits->amounts[i], err) < 0)
			return -1;
	return settings_number(settings, "NANOCLAW_WARN_PERCENT", 1, 100, WARN_PERCENT,
		&ret_limits->warn_percent, err);
}

int budget_check_settings(const struct settings *settings, struct error *err)
{
	struct budget_limits limits;

	return read_settings(settings, false, &limits, err) < 0 ||
			       read_settings(settings, true, &limits, err) < 0
		       ? -1
		       : 0;
}

/* A group that is gone has no file, and the limits of the installation. */
static int add_own(const struct budget_desk *desk, const char *folder,
	struct budget_limits *limits, bool *ret_free, struct error *err)
{
	CLEANUP(group_release) struct group group = GROUP_INIT;
	CLEANUP(error_release) struct error problem = ERROR_INIT;
	const struct container *container;
	uint64_t own[BUDGET_KIND_COUNT];

	if (store_group_by_folder(desk->store, folder, &group, err) < 0)
		return -1;
	if (container_cache_look(desk->containers, desk->root, folder, &container, &problem) <
		0) {
		if (problem.errnum == ENOENT)
			return 0;
		return error_set(err, problem.kind, "%s", problem.message);
	}
	own[BUDGET_DAILY_TOKENS] = container->budget.daily_tokens;
	own[BUDGET_DAILY_DOLLARS] = container->budget.daily_dollars;
	own[BUDGET_MONTHLY_DOLLARS] = container->budget.monthly_dollars;
	for (size_t i = 0; i < BUDGET_KIND_COUNT; i++)
		if (own[i])
			limits->amounts[i] = own[i];
	if (container->budget.warn_percent)
		limits->warn_percent = (int64_t)container->budget.warn_percent;
	*ret_free = !strcmp(agent_command_of(container, &group, desk->settings), AGENT_OFFLINE);
	return 0;
}

/* --- periods ----------------------------------------------------------------- */

struct period {
	char name[USAGE_DAY_SIZE];
	char from[USAGE_DAY_SIZE];
	int64_t until;
};

static void write_day(const struct civil *date, char ret_text[static USAGE_DAY_SIZE])
{
	snprintf(ret_text, USAGE_DAY_SIZE, "%04u-%02u-%02u", (unsigned)date->year % 10000,
		(unsigned)date->month % 100, (unsigned)date->day % 100);
}

static struct period period_of(const struct zone *zone, int64_t now, bool monthly)
{
	struct civil today = zone_local(zone, now / 1000, NULL);
	struct civil begins = {today.year, today.month, monthly ? 1 : today.day, 0};
	int days = monthly ? civil_month_length(today.year, today.month) : 1;
	int64_t ends = civil_seconds(&begins) + (int64_t)days * 24 * 60 * 60;
	struct period period;

	write_day(&begins, period.from);
	write_day(&begins, period.name);
	if (monthly)
		period.name[strlen("2026-11")] = '\0';
	/* If a clock change skips midnight, the day begins after it. */
	period.until = zone_instants(zone, ends).first * 1000;
	return period;
}

/* --- the state --------------------------------------------------------------- */

static int add_lines(const struct budget_desk *desk, const struct budget_limits *limits,
	bool total, int64_t now, struct budget *budget, struct error *err)
{
	for (size_t i = 0; i < BUDGET_KIND_COUNT; i++) {
		struct period period = period_of(budget->zone, now, kinds[i].monthly);
		struct usage_filter filter = {
			total ? NULL : budget->folder, period.from, budget->day};
		struct budget_line *line = &budget->lines[budget->count];
		struct usage_figures figures;

		if (limits->amounts[i] == CONTAINER_NO_LIMIT)
			continue;
		if (store_usage_sum(desk->store, &filter, &figures, err) < 0)
			return -1;
		*line = (struct budget_line){
			.kind = (enum budget_kind)i,
			.total = total,
			.limit = (int64_t)limits->amounts[i],
			.used = kinds[i].dollars ? figures.cost_micro_usd
						 : usage_tokens(&figures),
			.is_estimate = figures.estimated,
			.warn_percent = limits->warn_percent,
			.until = period.until,
		};
		memcpy(line->period, period.name, sizeof(line->period));
		budget->count++;
	}
	return 0;
}

int budget_look(const struct budget_desk *desk, const char *folder, int64_t now,
	struct budget *ret_budget, struct error *err)
{
	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
	CLEANUP(freep) char *zone = zone_default_name(settings_get(desk->settings, "TZ"));
	struct budget_limits limits;
	struct civil today;

	if (zone_open(zone, &budget.zone, err) < 0)
		return -1;
	today = zone_local(budget.zone, now / 1000, NULL);
	write_day(&today, budget.day);
	if (folder) {
		budget.folder = xstrdup(folder);
		if (read_settings(desk->settings, false, &limits, err) < 0 ||
			add_own(desk, folder, &limits, &budget.is_free, err) < 0 ||
			add_lines(desk, &limits, false, now, &budget, err) < 0)
			return -1;
	}
	if (read_settings(desk->settings, true, &limits, err) < 0 ||
		add_lines(desk, &limits, true, now, &budget, err) < 0)
		return -1;
	*ret_budget = budget;
	budget = BUDGET_INIT;
	return 0;
}

bool budget_line_is_used_up(const struct budget_line *line)
{
	return line->used >= line->limit;
}

bool budget_line_is_low(const struct budget_line *line)
{
	return line->used < line->limit &&
	       (double)line->used * 100 >= (double)line->limit * (double)line->warn_percent;
}

const struct budget_line *budget_used_up(const struct budget *budget)
{
	const struct budget_line *found = NULL;

	for (size_t i = 0; i < budget->count && !budget->is_free; i++)
		if (budget_line_is_used_up(&budget->lines[i]) &&
			(!found || budget->lines[i].until > found->until))
			found = &budget->lines[i];
	return found;
}

/* --- for people -------------------------------------------------------------- */

char *budget_line_text(const struct budget_line *line)
{
	const char *when = kinds[line->kind].monthly ? "this month" : "today";
	bool dollars = kinds[line->kind].dollars;
	CLEANUP(freep)
	char *used = dollars ? amount_dollars(line->used) : amount_tokens(line->used);
	CLEANUP(freep)
	char *limit = dollars ? amount_dollars(line->limit) : amount_tokens(line->limit);

	return xasprintf("%s%s of %s%s %s", line->is_estimate ? "about " : "", used, limit,
		dollars ? "" : " tokens", when);
}

char *budget_time_text(const struct budget *budget, int64_t time)
{
	struct civil local = zone_local(budget->zone, time / 1000, NULL);
	char day[USAGE_DAY_SIZE];

	write_day(&local, day);
	return xasprintf(
		"%s %02d:%02d (%s)", day, local.hour, local.minute, zone_name(budget->zone));
}

char *budget_reason(const struct budget *budget, const struct budget_line *line)
{
	CLEANUP(freep) char *text = budget_line_text(line);
	CLEANUP(freep) char *until = budget_time_text(budget, line->until);

	if (line->total)
		return xasprintf("the budget of all groups together is used up: %s; they are "
				 "paused until %s",
			text, until);
	return xasprintf("the budget of the group '%s' is used up: %s; it is paused until %s",
		budget->folder, text, until);
}

char *budget_remedy(const struct budget *budget, const struct budget_line *line)
{
	bool dollars = kinds[line->kind].dollars;
	int64_t more = 2 * (line->used > line->limit ? line->used : line->limit);

	/* Whole dollars, or thousands of tokens, which do for a while. */
	if (dollars)
		more = (more + DOLLAR - 1) / DOLLAR;
	else
		more = (more + 999) / 1000 * 1000;
	if (line->total)
		return xasprintf("set %s=%" PRId64 " in '.env', and start the host again",
			kinds[line->kind].total_setting, more);
	return xasprintf("nanoclaw group config %s budget.%s %" PRId64, budget->folder,
		kinds[line->kind].name, more);
}
