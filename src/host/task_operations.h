/*
 * What can be asked about scheduled tasks: as in operations.h, but also without a host,
 * for commands that have the store to themselves.
 *
 *	schedule_task {prompt, schedule_type, schedule_value, tz?, context_mode?, missed?,
 *	               group?, key?}		task, added
 *	list_tasks {group?, all?}		tasks
 *	update_task {task_id, and what of the above is to change}	task
 *	pause_task, resume_task, cancel_task {task_id}	task
 *	get_task_runs {task_id, limit?}		task, runs
 *
 * Texts that are numbers (an interval in milliseconds, an id) may also be JSON numbers.
 *
 * A task that an agent makes in a turn is keyed by the turn and its own `key` or a number
 * (L8): when the turn is repeated, the task of the first attempt is brought up to date
 * and no second one is made; then `added` is false.
 */
#ifndef HOST_TASK_OPERATIONS_H
#define HOST_TASK_OPERATIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "host/registry.h"
#include "host/rights.h"
#include "store/store.h"

struct scheduler;

struct task_desk {
	struct store *store;
	const struct registry *registry;
	const char *tz;              /* the setting TZ, or NULL */
	struct scheduler *scheduler; /* is told of changes; NULL: no host runs */
};

bool task_operations_know(const char *name);

/* `request` has the name of a known one in "op". What it gives is put into `reply`. */
int task_operations_run(const struct task_desk *desk, const struct actor *actor,
	const json_t *request, json_t *reply, struct error *err);

#endif
