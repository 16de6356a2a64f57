/*
 * From what was said (said.h) to what it means at a given time. Only for the two files that
 * do it; others call when_settle().
 */
#ifndef TIME_PHRASE_SETTLE_H
#define TIME_PHRASE_SETTLE_H

#include "time/phrase/when.h"

#define DAY      86400
#define MIDNIGHT 1440 /* the minute at the end of a day */

void settle_cannot(struct when *when, const char *why);

/* Afterwards there is a clock, and none is bare. */
void settle_clocks(struct when *when, const struct civil *now);

/* The day that is meant, seen from `at`, which becomes it. */
void settle_day(struct when *when, const struct date *date, int minute, struct civil *at);

struct civil settle_minute(struct civil day, int minute);
void settle_add_months(struct civil *at, int months);

void settle_repeat(struct when *when, const struct civil *now);

#endif
