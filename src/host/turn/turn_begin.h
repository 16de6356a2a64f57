/*
 * How a turn begins: it is claimed, its text is prepared, and the agent gets it. Each is stored
 * before the next.
 */
#ifndef HOST_TURN_TURN_BEGIN_H
#define HOST_TURN_TURN_BEGIN_H

#include "host/turn/worker.h"

/* Begin the next turn, if there is one. The queue has found a place for its agent. */
void turn_begin(struct worker *worker);

#endif
