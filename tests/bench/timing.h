/*
 * Measuring: the clock, a program from start to end, the middle of many times.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stddef.h>
#include <stdint.h>

int64_t timing_now(void); /* nanoseconds */

/* Run a program with its output thrown away; ends the bench if it cannot start. */
int64_t timing_run(const char *const *argv);

/* Sorts `times`. */
double timing_median(int64_t *times, size_t count);

#endif
