/*
 * Operations on scheduled tasks (operation.h):
 *
 *	schedule_task	task, added
 *	list_tasks	tasks
 *	get_task_runs	task, runs
 *	the others	task
 *
 * A task that an agent makes in a turn is keyed by the turn and its own `key` or a number
 * (L8): when the turn is repeated, the task of the first attempt is brought up to date
 * and no second one is made; then `added` is false.
 */
#ifndef HOST_OPS_TASK_OPERATIONS_H
#define HOST_OPS_TASK_OPERATIONS_H

#include "host/ops/operation.h"

int op_cancel_task(struct call *call, struct error *err);
int op_get_task_runs(struct call *call, struct error *err);
int op_list_tasks(struct call *call, struct error *err);
int op_pause_task(struct call *call, struct error *err);
int op_resume_task(struct call *call, struct error *err);
int op_schedule_task(struct call *call, struct error *err);
int op_update_task(struct call *call, struct error *err);

#endif
