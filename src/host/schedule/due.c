#include "host/schedule/due.h"

#include <string.h>

#include "ledger/task_runs.h"
#include "ledger/tasks.h"
#include "proc/log.h"

/* --- times ------------------------------------------------------------------- */

/* After this many steps, the earlier half of the time is skipped. */
#define MAX_STEPS 10000

size_t due_times(const struct schedule *schedule, int64_t first, int64_t now,
	int64_t *ret_times, size_t max, bool *ret_more)
{
	int64_t ring[TASK_RUNS_MAX_MISSED]; /* the last ones */
	size_t size = max < ARRAY_SIZE(ring) ? max : ARRAY_SIZE(ring);
	size_t count = 0; /* of all times, including those that others have replaced */
	size_t kept;
	int64_t time = first;
	int64_t start = first;
	int steps = 0;
	bool cut = false;

	while (time <= now) {
		ring[count++ % size] = time;
		if (++steps == MAX_STEPS) {
			start += (now - start) / 2;
			time = start > time ? start : time;
			steps = 0;
			cut = true;
		}
		if (!schedule_next(schedule, time, &time))
			break;
	}
	*ret_more = cut || count > size;
	kept = count < size ? count : size;
	for (size_t i = 0; i < kept; i++)
		ret_times[i] = ring[(count - kept + i) % size];
	return kept;
}

/* --- policies ---------------------------------------------------------------- */

static int add_runs(struct store *store, const struct task *task, const int64_t *times,
	size_t count, int64_t now, int64_t since, struct error *err)
{
	int64_t last = times[count - 1];
	bool on_time = last >= since && now - last <= DUE_LATE_MS;
	const char *skipped = on_time ? NULL : "it was missed";
	struct task_run_counts open;
	size_t room;

	if (task_run_count(store, task->id, &open, err) < 0)
		return -1;
	switch (task->missed) {
	case MISSED_SKIP:
		if (open.waiting + open.running)
			skipped = "an earlier run was still under way";
		return task_run_add(store, task->id, last, skipped, now, err);
	case MISSED_ONCE:
		return open.waiting ? 0 : task_run_add(store, task->id, last, NULL, now, err);
	case MISSED_ALL:
		room = open.waiting < TASK_RUNS_MAX_MISSED
			       ? TASK_RUNS_MAX_MISSED - (size_t)open.waiting
			       : 0;
		for (size_t i = count > room ? count - room : 0; i < count; i++)
			if (task_run_add(store, task->id, times[i], NULL, now, err) < 0)
				return -1;
		return 0;
	}
	return 0;
}

static int add_due_runs(
	struct store *store, struct task *task, int64_t now, int64_t since, struct error *err)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	CLEANUP(error_release) struct error why = ERROR_INIT;
	int64_t times[TASK_RUNS_MAX_MISSED];
	size_t count;
	bool more;

	if (task_schedule(task, &schedule, &why) < 0) {
		/* It can no longer be parsed, and waits for a person. */
		log_warning("task %s is paused: %s", task->id, why.message);
		task->status = TASK_PAUSED;
		task->next_run = 0;
		return store_task_update(store, task, err);
	}
	count = due_times(&schedule, task->next_run, now, times, ARRAY_SIZE(times), &more);
	if (more)
		log_note(
			"task %s was missed more than %zu times; the earlier ones are left out",
			task->id, count);
	if (count && add_runs(store, task, times, count, now, since, err) < 0)
		return -1;
	if (!schedule_next(&schedule, now, &task->next_run)) {
		task->next_run = 0;
		task->status = TASK_COMPLETED;
	}
	return store_task_update(store, task, err);
}

int due_add_runs(
	struct store *store, int64_t now, int64_t since, size_t *ret_count, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(task_list_release) struct task_list tasks = {0};

	if (store_task_due(store, now, DUE_BATCH, &tasks, err) < 0)
		return -1;
	*ret_count = tasks.count;
	if (!tasks.count)
		return 0;
	if (txn_begin(&txn, store, err) < 0)
		return -1;
	for (size_t i = 0; i < tasks.count; i++)
		if (add_due_runs(store, &tasks.list[i], now, since, err) < 0)
			return -1;
	return txn_commit(&txn, "due", err);
}

/* --- a clock that was set back ------------------------------------------------ */

/* Reschedule the task if its next run is too far away. */
static bool plan_again(struct task *task, int64_t now)
{
	CLEANUP(schedule_release) struct schedule schedule = SCHEDULE_INIT;
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	int64_t next;

	if (task->status != TASK_ACTIVE || task->type == SCHEDULE_ONCE ||
		task->next_run <= now + DUE_BACK_MS)
		return false;
	/* A schedule that can no longer be parsed is reported when it is due. */
	if (task_schedule(task, &schedule, &ignored) < 0 ||
		!schedule_next(&schedule, now, &next) || task->next_run <= next + DUE_BACK_MS)
		return false;
	log_note("task %s is rescheduled: the clock was set back", task->id);
	task->next_run = next;
	return true;
}

int due_plan_again(struct store *store, int64_t now, struct error *err)
{
	CLEANUP(task_list_release) struct task_list tasks = {0};

	if (store_task_list(store, NULL, false, &tasks, err) < 0)
		return -1;
	/* There is hardly ever one, so a transaction begins only for those. */
	for (size_t i = 0; i < tasks.count; i++) {
		CLEANUP(txn_end) struct txn txn = TXN_INIT;

		if (plan_again(&tasks.list[i], now) &&
			(txn_begin(&txn, store, err) < 0 ||
				store_task_update(store, &tasks.list[i], err) < 0 ||
				txn_commit(&txn, "plan-again", err) < 0))
			return -1;
	}
	return 0;
}
