/*
 * Counting with local times, by the calendar and the clock on the wall.
 */
#ifndef AGENT_OFFLINE_MOMENT_H
#define AGENT_OFFLINE_MOMENT_H

#include "util/civil.h"

/* 0: Sunday. */
int moment_weekday(const struct civil *moment);
void moment_add_days(struct civil *moment, int days);

/* Below 0, 0 or above, as strcmp(). */
int moment_compare(const struct civil *a, const struct civil *b);

#endif
