/*
 * Points in time as people and JavaScript write them: 2026-02-16T22:47:02.139Z,
 * always in UTC. In numbers they are milliseconds since 1970.
 */
#ifndef TIME_TIMESTAMP_H
#define TIME_TIMESTAMP_H

#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

#define TIMESTAMP_SIZE sizeof("2026-02-16T22:47:02.139Z")

/* The years 0 to 9999, which fit into the format. */
#define TIMESTAMP_MIN INT64_C(-62167219200000)
#define TIMESTAMP_MAX INT64_C(253402300799999)

/*
 * The current time. If SOURCE_DATE_EPOCH is set to seconds since 1970, then
 * that is the time, so that output can be reproduced byte for byte.
 */
int64_t timestamp_now(void);

/* The real clock, ignoring SOURCE_DATE_EPOCH. */
int64_t timestamp_clock(void);

/*
 * Milliseconds since an arbitrary moment, for timeouts and measurements: this clock is never
 * set.
 */
int64_t timestamp_steady(void);

/* `ms` must be between TIMESTAMP_MIN and TIMESTAMP_MAX. */
void timestamp_format(int64_t ms, char ret_text[static TIMESTAMP_SIZE]);

/* Reads the form above; the fraction may have one to nine digits or be absent. */
int timestamp_parse(struct view text, int64_t *ret_ms, struct error *err);

#endif
