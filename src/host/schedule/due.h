/*
 * Tasks whose time has come: which runs that makes, and when the next one is.
 *
 * Of the times since a task was due last, the latest is on time if the host was there
 * for it; all others were missed. The task's policy decides about them:
 *
 *	skip	only the one that is on time runs, and only if no other run is under way
 *	once	one run for all of them; also if one is waiting already, that is it
 *	all	a run for each, at most TASK_RUNS_MAX_MISSED that wait
 */
#ifndef HOST_SCHEDULE_DUE_H
#define HOST_SCHEDULE_DUE_H

#include <stdint.h>

#include "base/error.h"
#include "db/store.h"
#include "time/schedule.h"

/* Later than this is missed, even if the host ran: the machine slept, or its clock
 * was put forward. */
#define DUE_LATE_MS ((int64_t)60 * 1000)

/* A clock that is put back by no more than this repeats nothing. */
#define DUE_BACK_MS ((int64_t)24 * 60 * 60 * 1000)

/* Tasks that are taken in one transaction. */
#define DUE_BATCH 50

/*
 * One transaction: the runs are added and the tasks advanced (L10). `since` is when the
 * host was started. `*ret_count` is how many tasks there were; if it is DUE_BATCH there
 * may be more.
 */
int due_take(
	struct store *store, int64_t now, int64_t since, size_t *ret_count, struct error *err);

/*
 * For when the clock may have been put back: a task that was advanced while it was far
 * ahead would wait for that time. One that comes more than DUE_BACK_MS later than it
 * would if it were planned now is planned now; what has a run already stays without
 * another.
 */
int due_plan_again(struct store *store, int64_t now, struct error *err);

/*
 * The latest `max` times of a schedule from `first`, which is one of them, to `now`,
 * in order. Returns how many; `*ret_more` says whether there were earlier ones.
 */
size_t due_times(const struct schedule *schedule, int64_t first, int64_t now,
	int64_t *ret_times, size_t max, bool *ret_more);

#endif
