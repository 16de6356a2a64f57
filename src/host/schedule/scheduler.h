/*
 * The clock of scheduled tasks.
 *
 * There is one timer, for the nearest due time, on the machine's clock: it fires on time after the
 * machine has slept, and the kernel reports when the clock is set (TFD_TIMER_CANCEL_ON_SET).
 * Nothing is polled. When a task is due, due.h creates its runs, and the queue carries them out.
 * Groups that are paused until some time are woken by the same timer.
 */
#ifndef HOST_SCHEDULE_SCHEDULER_H
#define HOST_SCHEDULE_SCHEDULER_H

#include "host/base/installation.h"

struct queue;
struct scheduler;

/* Functions of the queue that it calls. */
struct scheduler_handlers {
	struct queue *queue;
	/* There is work for the group, or for an isolated task of it (NULL: none). */
	void (*wake)(struct queue *queue, const char *folder, const char *isolated_task);
	/* Groups whose pause ends by this time check their budget again. */
	void (*wake_expired)(struct queue *queue, int64_t time);
	/* When the first pause ends; INT64_MAX: no group is paused. */
	int64_t (*paused_until)(const struct queue *queue);
};

int scheduler_new(struct installation *inst, const struct scheduler_handlers *handlers,
	struct scheduler **ret_scheduler, struct error *err);
void scheduler_close(struct scheduler *scheduler);

/* A task was added, removed or changed: scheduler_work() reads them again. */
void scheduler_changed(struct scheduler *scheduler);

/* Let the timer fire at this time, in milliseconds, or earlier. */
void scheduler_remind(struct scheduler *scheduler, int64_t time);

/* Before the loop sleeps. */
void scheduler_work(struct scheduler *scheduler);

#endif
