/* Tasks and their runs as JSON, for replies and for the output of commands. */
#ifndef HOST_SCHEDULE_TASK_JSON_H
#define HOST_SCHEDULE_TASK_JSON_H

#include <jansson.h>

#include "ledger/task_runs.h"
#include "ledger/tasks.h"

json_t *task_json(const struct task *task);
json_t *task_run_json(const struct task_run *run);

#endif
