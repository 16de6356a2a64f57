/*
 * A point in time as ISO 8601 writes it: with an offset it is an instant, and without
 * one the time on the clock of a zone.
 *
 *	2026-11-17T09:00	2026-11-17 09:00:30	2026-11-17T09:00:00.5Z
 *	2026-11-17T09:00+01:00	20261117T090000+0100 is not read
 *
 * A time that the clock jumps over is the moment after the jump; one that it shows
 * twice is the first.
 */
#ifndef TIME_POINT_H
#define TIME_POINT_H

#include <stdint.h>

#include "base/error.h"
#include "base/view.h"
#include "time/zone.h"

/* Milliseconds since 1970. */
int point_parse(struct view text, const struct zone *zone, int64_t *ret_ms, struct error *err);

#endif
