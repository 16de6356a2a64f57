/*
 * How long: 30s, 15m, 2h, 1d, 1w, several of them (1h30m, 1 hour 30 min), or ISO 8601
 * (PT15M, P1D). A number alone is milliseconds. A day is 24 hours here, whatever clocks do.
 */
#ifndef TIME_DURATION_H
#define TIME_DURATION_H

#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

/* Ten years. */
#define DURATION_MAX (INT64_C(3650) * 24 * 60 * 60 * 1000)

int duration_parse(struct view text, int64_t *ret_ms, struct error *err);

#endif
