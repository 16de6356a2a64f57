/*
 * Formats times for answers, in the group's zone: the one in its memory (memory.h), else the
 * host's.
 */
#ifndef AGENT_OFFLINE_CALENDAR_H
#define AGENT_OFFLINE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "time/civil.h"
#include "time/zone.h"

/* An unknown zone in the memory is an error. */
int calendar_zone(int folder, struct zone **ret_zone, struct error *err);

/* False if that is only UTC because nobody has set this machine's zone. */
bool calendar_zone_is_known(int folder);

/* "Tuesday, 17 November 2026 at 17:00" */
void calendar_describe(const struct civil *moment, struct buf *out);

/* The same with "today, ", "tomorrow, " or "on " before it. */
void calendar_describe_from(
	const struct civil *moment, const struct civil *today, struct buf *out);

/* "every weekday at 09:00", for schedules made by when.h; any other is shown verbatim. */
void calendar_describe_schedule(const char *type, const char *value, struct buf *out);

/* The local part of "2026-11-17T09:00:00+01:00"; false if it is something else. */
bool calendar_read(const char *text, struct civil *ret_moment);

#endif
