/* The agent of a worker: its start, what it says in a turn and outside of one, and its end. */
#ifndef HOST_TURN_WORKER_AGENT_H
#define HOST_TURN_WORKER_AGENT_H

#include "host/turn/worker.h"

/* Start its agent with the session `resumed`, unless it has one. */
int worker_start_agent(struct worker *worker, struct error *err);

/* In a turn: the agent is ended if it is silent, or works, for too long from now on. */
void worker_expect_life(struct worker *worker);

#endif
