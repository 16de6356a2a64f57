/*
 * Cron expressions: minute, hour, day of the month, month, day of the week.
 *
 *	0 9 * * MON-FRI		at nine on working days
 *	0-59/15 8-18 * * *	every quarter of an hour from 8:00 to 18:45
 *	0 0 1,15 * SUN		at midnight on the 1st, the 15th, and on Sundays
 *	@daily			the same as 0 0 * * *
 *
 * A field is a list of numbers, ranges, and `*`, each of which may have a step after
 * it; 5/15 is from 5 on, every 15. Months and weekdays have their English names of
 * three letters; Sunday is 0 and 7. The day L is the last of its month, MON#1 the first
 * Monday of a month, and FRI#L the last Friday. As in Vixie's cron a day must fit both day
 * fields if one of them begins with `*`, and otherwise one of them is enough.
 *
 * When the clock is changed:
 *	- An expression with fixed hours means times on the clock on the wall. Those
 *	  which the clock jumps over happen together at the moment after the jump; those
 *	  which it shows twice happen the first time.
 *	- An expression whose hours begin with `*` follows elapsed time: it happens
 *	  whenever the clock shows a minute that fits, in a repeated hour twice.
 */
#ifndef TIME_CRON_H
#define TIME_CRON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "time/zone.h"

#define CRON_MAX 256

struct cron {
	uint64_t minutes; /* bit n: minute n */
	uint32_t hours;
	uint32_t days; /* bit 1 to 31; bit 0: the last of the month */
	uint16_t months;
	uint8_t weekdays; /* bit 0: Sunday */
	uint8_t nth[6];   /* likewise, but only the nth of the month; 0: the last */
	bool every_hour;  /* the hours begin with '*' */
	bool every_day;   /* likewise */
	bool every_weekday;
};

/* ERROR_INVALID names the bad field and the reason. */
int cron_parse(struct view text, struct cron *ret_cron, struct error *err);

/*
 * The first time after the instant `after`, both in seconds. False if there is none in
 * the next 400 years, after which the calendar repeats itself: the 30th of February.
 */
bool cron_next(
	const struct cron *cron, const struct zone *zone, int64_t after, int64_t *ret_next);

#endif
