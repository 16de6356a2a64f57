/*
 * A call from an agent: checked against its rate limit (call_rate.h), carried out (operations.h),
 * and written to the audit log (auditing.h).
 *
 * An entry in the log is bounded: it has the beginning of the arguments, excerpts of texts, and no
 * nested values, because the settings of a group may hold a secret. Calls over the rate limit share
 * one entry.
 */
#ifndef HOST_OPS_GROUP_CALLS_H
#define HOST_OPS_GROUP_CALLS_H

#include "host/turn/worker.h"

/*
 * The handlers in struct worker_desk; `data` is a struct operations_desk. `line` came from the
 * socket of the worker's group. Returns the reply, never NULL.
 */
json_t *group_calls_take(struct worker *worker, struct view line, void *data);

/* Its socket is closed: write pending entries to the log. */
void group_calls_end(struct worker *worker, void *data);

#endif
