/*
 * When something is to happen, again and again or once.
 *
 *	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
 *
 *	if (schedule_parse(SCHEDULE_CRON, "0 9 * * MON", zone, 0, &schedule, err) < 0)
 *		return -1;
 *	if (schedule_next(&schedule, now, &next))
 *		...
 *
 *	cron		cron.h, in the zone
 *	interval	duration.h: elapsed time from the anchor on, whatever clocks do
 *	once		point.h, in the zone if it has no offset of its own
 *
 * There may be several cron expressions with ';' between them. Cron and interval may have
 * limits after them, in this order:
 *
 *	0 9 * * *; 30 18 * * * by 2 days from 2026-11-17T09:00 until 2026-12-24T23:59
 *
 *	by N days	on every Nth day (week, month) only, counted from that of `from`
 *	from		not before this time; an interval begins there
 *	until		not after this time
 *
 * These functions do not read the clock. Times are milliseconds since 1970.
 */
#ifndef TIME_SCHEDULE_H
#define TIME_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "time/cron.h"
#include "time/zone.h"

#define SCHEDULE_LEAST_INTERVAL 1000
#define SCHEDULE_MAX_CRONS      6
#define SCHEDULE_MAX_STEP       999

enum schedule_type {
	SCHEDULE_CRON,
	SCHEDULE_INTERVAL,
	SCHEDULE_ONCE,
};

enum schedule_unit {
	UNIT_DAYS,
	UNIT_WEEKS, /* from Monday on */
	UNIT_MONTHS,
};

struct schedule {
	enum schedule_type type;
	struct zone *zone;
	struct cron crons[SCHEDULE_MAX_CRONS];
	size_t count;
	int64_t every;
	int64_t anchor;
	int64_t at;
	int step; /* of a cron; 0: all times */
	enum schedule_unit unit;
	int64_t from;  /* INT64_MIN: always */
	int64_t until; /* INT64_MAX: no end */
};

#define SCHEDULE_INIT ((struct schedule){0})

/* By their numbers, ending with NULL. */
extern const char *const schedule_type_names[];
const char *schedule_type_name(enum schedule_type type);
/* "cron", "interval" or "once". */
int schedule_type_parse(const char *name, enum schedule_type *ret_type, struct error *err);

int schedule_parse(enum schedule_type type, const char *value, const char *zone_name,
	int64_t anchor, struct schedule *ret_schedule, struct error *err);
void schedule_release(struct schedule *schedule);

/* The first time after `after`; false if there is none. */
bool schedule_next(const struct schedule *schedule, int64_t after, int64_t *ret_next);

#endif
