/*
 * What a phrase (said.h) means at a given time. For resolve.c and resolve_repeat.c only; others
 * call when_resolve().
 */
#ifndef TIME_PHRASE_RESOLVE_H
#define TIME_PHRASE_RESOLVE_H

#include "time/phrase/when.h"

#define DAY      86400
#define MIDNIGHT 1440 /* the minute at the end of a day */

void resolve_cannot(struct when *when, const char *why);

/* Afterwards there is a clock, and none is bare. */
void resolve_clocks(struct when *when, const struct civil *now);

/* The day that `date` means on the day `at`, which it replaces. */
void resolve_day(struct when *when, const struct date *date, int minute, struct civil *at);

struct civil resolve_minute(struct civil day, int minute);
void resolve_add_months(struct civil *at, int months);

void resolve_repeat(struct when *when, const struct civil *now);

#endif
