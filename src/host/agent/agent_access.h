/*
 * An agent's access while it runs, and its group and turn: the gate to its API (agent_gate.h) and
 * the network (agent_network.h).
 */
#ifndef HOST_AGENT_AGENT_ACCESS_H
#define HOST_AGENT_AGENT_ACCESS_H

#include "ledger/turns.h"

struct agent_network;
struct gate;
struct spending;

struct agent_access {
	const char *folder;            /* of its group */
	const struct turn *turn;       /* that is under way, if it has an id */
	int64_t asked_in;              /* the turn in which it has asked the API last */
	bool asked;                    /* the API, in this turn: its figures count then */
	struct spending *spending;     /* counts its usage */
	struct gate *gate;             /* or NULL */
	struct agent_network *network; /* likewise */
};

#endif
