/*
 * A group at work, for the queue: worker_state.h has its states, turn_end.h the ends of turns.
 */
#ifndef HOST_TURN_WORKER_H
#define HOST_TURN_WORKER_H

#include "host/turn/worker_state.h"

/* `task` is NULL for the group itself. */
struct worker *worker_new(const struct worker_desk *desk, const char *folder, const char *task);

/* Begin the next turn, if there is one. Needs a place for an agent, or has one. */
void worker_begin(struct worker *worker);

/* End its agent, now or when its turn is done: something that it was started with has changed. */
void worker_renew(struct worker *worker);

/* End its agent now; the turn stays open. */
void worker_stop(struct worker *worker, bool forget);

void worker_free(struct worker *worker);

#endif
