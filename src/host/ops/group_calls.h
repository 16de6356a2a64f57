/*
 * A call of an agent: no more of them than it may make (call_rate.h), carried out
 * (operations.h), and in the audit log (auditing.h).
 *
 * What stands in the log is bounded: the arguments by their beginning, texts as excerpts, and
 * nothing of what is nested, where settings of a group may hold a secret. Calls that were too
 * many are one entry together.
 */
#ifndef HOST_OPS_GROUP_CALLS_H
#define HOST_OPS_GROUP_CALLS_H

#include "host/turn/worker.h"

/* For struct worker_desk; `data` is a struct operations_desk. A line from the socket of its group. Returns the reply, never NULL. */
json_t *group_calls_take(struct worker *worker, struct view line, void *data);

/* Its socket is closed: what is not in the log yet gets there. */
void group_calls_end(struct worker *worker, void *data);

#endif
