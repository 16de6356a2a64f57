/*
 * Budgets: how much each group, and all groups together, may use.
 *
 *	                 a group                          all together
 *	                 container.json, else setting     setting
 *	tokens a day     budget.dailyTokens,              NANOCLAW_TOTAL_DAILY_TOKENS
 *	                 NANOCLAW_DAILY_TOKENS
 *	dollars a day    budget.dailyDollars,             NANOCLAW_TOTAL_DAILY_DOLLARS
 *	                 NANOCLAW_DAILY_DOLLARS
 *	dollars a month  budget.monthlyDollars,           NANOCLAW_TOTAL_MONTHLY_DOLLARS
 *	                 NANOCLAW_MONTHLY_DOLLARS
 *	warning          budget.warnPercent,              NANOCLAW_WARN_PERCENT
 *	                 NANOCLAW_WARN_PERCENT
 *
 * There are no limits by default, and none applies to a group whose agent needs no model. Days
 * and months are those of the installation's time zone (the setting TZ, else the machine's). All
 * tokens count: in, out, and those of the cache.
 *
 * The pause of a group is not stored: it is computed from the usage, the limits and the clock
 * whenever it is needed. So a crash cannot forget it, and a higher limit or the next day ends it
 * without further action.
 *
 *	CLEANUP(budget_release) struct budget budget = BUDGET_INIT;
 *
 *	if (budget_look(&desk, "family", now, &budget, err) < 0)
 *		return -1;
 *	line = budget_used_up(&budget);
 */
#ifndef HOST_MONEY_BUDGET_H
#define HOST_MONEY_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store.h"
#include "group/container_cache.h"
#include "host/base/settings.h"
#include "ledger/usage.h"
#include "time/zone.h"

enum budget_kind {
	BUDGET_DAILY_TOKENS,
	BUDGET_DAILY_DOLLARS,
	BUDGET_MONTHLY_DOLLARS,
	BUDGET_KIND_COUNT,
};

/* One limit. Amounts are tokens, or millionths of a dollar. */
struct budget_line {
	enum budget_kind kind;
	bool total; /* of all groups together */
	int64_t limit;
	int64_t used;
	bool is_estimate; /* of it, at least a part */
	int64_t warn_percent;
	char period[USAGE_DAY_SIZE]; /* "2026-11-16", "2026-11" */
	int64_t until;               /* when it ends, in milliseconds */
};

struct budget {
	char *folder; /* NULL: all together only */
	bool is_free; /* its agent needs no model: nothing pauses it */
	struct zone *zone;
	char day[USAGE_DAY_SIZE];
	struct budget_line lines[2 * BUDGET_KIND_COUNT];
	size_t count;
};

#define BUDGET_INIT ((struct budget){0})

void budget_release(struct budget *budget);

struct budget_desk {
	struct store *store;
	int root;
	const struct settings *settings;
	struct container_cache *containers;
};

/*
 * The limits of a group and those of all groups; `folder` may be NULL, and need not be
 * registered.
 */
int budget_look(const struct budget_desk *desk, const char *folder, int64_t now,
	struct budget *ret_budget, struct error *err);

/* Are the settings numbers that make sense? */
int budget_check_settings(const struct settings *settings, struct error *err);

/* The used-up limit with the latest end; NULL if none is used up, or the group is exempt. */
const struct budget_line *budget_used_up(const struct budget *budget);

bool budget_line_is_used_up(const struct budget_line *line);
bool budget_line_is_low(const struct budget_line *line); /* and not used up */

/* --- for people; to be freed -------------------------------------------------- */

/* "dailyDollars", as in container.json */
const char *budget_kind_name(enum budget_kind kind);

/* "$4.10 of $5.00 today", "about 1,200 of 2,000,000 tokens today" */
char *budget_line_text(const struct budget_line *line);

/* "2026-11-17 00:00 (Europe/Berlin)" */
char *budget_time_text(const struct budget *budget, int64_t time);

/* Why an agent is paused, and until when. */
char *budget_reason(const struct budget *budget, const struct budget_line *line);

/* The command that lets it continue now. */
char *budget_remedy(const struct budget *budget, const struct budget_line *line);

#endif
