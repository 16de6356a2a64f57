/*
 * The usage of agents: tokens and their cost.
 *
 * Each answer of the API is a row in `usage`, for `trace`, and is added to the sum of its
 * day, group and model in `usage_days` at the same time. Budgets and reports read the sums
 * alone, which stay; of the rows the latest USAGE_ROWS are kept, for USAGE_DAYS at most.
 *
 * An agent that makes no API request in a turn may report its own usage (agent/stream.h). If it
 * makes one, only the API's figures count, so that nothing is counted twice.
 */
#ifndef LEDGER_USAGE_H
#define LEDGER_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "db/store.h"

#define USAGE_ROWS 20000
#define USAGE_DAYS 90

#define USAGE_DAY_SIZE sizeof("2026-11-16")

/* Of one request, or of many. */
struct usage_figures {
	int64_t requests;
	int64_t input_tokens;
	int64_t output_tokens;
	int64_t cache_read_tokens;
	int64_t cache_write_tokens;
	int64_t cost_micro_usd; /* of all but … */
	int64_t unpriced;       /* … this many requests of unknown cost */
	int64_t estimated;      /* requests whose tokens the server did not report */
};

int64_t usage_tokens(const struct usage_figures *figures);

enum usage_source {
	USAGE_API,   /* the API's own figures */
	USAGE_AGENT, /* as its agent has said */
};

struct usage_entry {
	const char *group_folder;
	int64_t turn;      /* 0: none, or not known */
	const char *model; /* "" if it is not known */
	enum usage_source source;
	const char *day;              /* "2026-11-16", where the installation is */
	struct usage_figures figures; /* of one request */
};

/* Within a transaction of the caller. */
int store_usage_add(
	struct store *store, const struct usage_entry *entry, int64_t now, struct error *err);

/* --- sums -------------------------------------------------------------------- */

/* Days from … to …, both included. */
struct usage_filter {
	const char *group_folder; /* NULL: all */
	const char *from;
	const char *to;
};

int store_usage_sum(struct store *store, const struct usage_filter *filter,
	struct usage_figures *ret_figures, struct error *err);

enum usage_by {
	USAGE_BY_GROUP,
	USAGE_BY_MODEL,
	USAGE_BY_DAY,
};

struct usage_sum {
	char *name; /* of the group or model, or the day */
	struct usage_figures figures;
};

struct usage_sums {
	struct usage_sum *list;
	size_t count;
	size_t cap;
};

void usage_sums_release(struct usage_sums *sums);

/* Days in their order; groups and models beginning with what costs most. */
int store_usage_list(struct store *store, const struct usage_filter *filter, enum usage_by by,
	struct usage_sums *ret_sums, struct error *err);

#endif
