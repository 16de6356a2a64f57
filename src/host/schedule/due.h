/*
 * Tasks that are due: the runs that they get, and their next times.
 *
 * A task may have come due several times since its last run. The latest of these times is on time
 * if the host was running then; all others were missed. The task's policy decides what happens to
 * them:
 *
 *	skip	only a time that is on time gets a run, and only if no other run is under way
 *	once	one run for all of them, and none if a run is already waiting
 *	all	a run for each; at most TASK_RUNS_MAX_MISSED wait
 */
#ifndef HOST_SCHEDULE_DUE_H
#define HOST_SCHEDULE_DUE_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "time/schedule.h"

/* A time further back than this was missed, even if the host ran: the machine slept, or its
 * clock was set forward. */
#define DUE_LATE_MS ((int64_t)60 * 1000)

/* Setting the clock back by at most this much repeats nothing. */
#define DUE_BACK_MS ((int64_t)24 * 60 * 60 * 1000)

/* Tasks in one transaction. */
#define DUE_BATCH 50

/*
 * Add the runs and advance the tasks, in one transaction (L10). `since` is the time when the host
 * was started. `*ret_count` is the number of tasks that were due; if it is DUE_BATCH, there may
 * be more.
 */
int due_add_runs(
	struct store *store, int64_t now, int64_t since, size_t *ret_count, struct error *err);

/*
 * Call this when the clock may have been set back: a task that was advanced while the clock was far
 * ahead would wait until then. A task whose next run is more than DUE_BACK_MS later than a schedule
 * computed now is rescheduled; a time that already has a run does not get another.
 */
int due_plan_again(struct store *store, int64_t now, struct error *err);

/*
 * The latest `max` times of a schedule from `first`, which is one of them, to `now`,
 * in order. Returns how many; `*ret_more` says whether there were earlier ones.
 */
size_t due_times(const struct schedule *schedule, int64_t first, int64_t now,
	int64_t *ret_times, size_t max, bool *ret_more);

#endif
