/*
 * A group at work: its turn, its agent, and the socket through which the agent calls
 * the host (group_socket.h).
 *
 *	            turn begins               answer, error or retry
 *	[in line] --------------> [in a turn] ----------------------> [in line] or [idle]
 *	    ^                                                             |
 *	    |                 message, or the time of a retry has come    |
 *	    +-------------------------------------------------------------+
 *
 * The worker of an isolated task has a lane of its own beside that of its group: its agent
 * begins without a session, and ends after each turn.
 *
 * A group whose budget is used up has no turns until that has changed (spending.h): its worker
 *is paused.
 *
 * A turn that fails is tried again after a while, and then given up with an error
 * that the person sees (L5). While it waits, later messages of the group wait, too.
 */
#ifndef HOST_WORKER_H
#define HOST_WORKER_H

#include <stdbool.h>
#include <uv.h>

#include "agent/agent.h"
#include "host/agent_setup.h"
#include "host/call_rate.h"
#include "host/parts.h"
#include "host/progress.h"
#include "store/ledger.h"

enum worker_state {
	WORKER_IDLE, /* nothing to do; its agent may be alive */
	WORKER_IN_LINE,
	WORKER_IN_TURN,
	WORKER_WAITING, /* for the time of a retry */
	WORKER_PROBING, /* until its kind of sandbox was tried */
	WORKER_PAUSED,  /* by its budget, until `paused_until` or a change */
};

struct worker {
	struct worker *next; /* all of them */
	struct worker *next_in_line;
	struct host *host;
	char *folder;
	char *task; /* the isolated task that it is for; NULL: it is the group's */
	enum worker_state state;
	bool woken;     /* something came for it: there will be a turn */
	bool forgotten; /* its group is gone */
	bool finishing; /* its agent was told to end */
	bool outdated;  /* its agent ends when its turn is done */
	uint64_t idle_since;
	int64_t paused_until; /* by the clock of the machine */
	struct agent *agent;
	char *resumed; /* the session that the agent was started with, or NULL */
	char *told;    /* why the turn failed, as the person may know it; or NULL */
	bool unused;   /* the agent has had no turn yet */
	bool talked;   /* the agent has said something since it was started */
	bool echoes;   /* it says when it takes up a turn, … */
	bool taken_up; /* … and has done so with this one */
	struct turn turn;
	struct progress progress;
	int64_t asked_in;  /* the turn in which the agent has asked the API last */
	int sent_in_turn;  /* how much the agent has said by itself (L8) */
	int tasks_in_turn; /* how many tasks it has made, likewise */
	struct group_socket *socket;
	struct call_rate rate;    /* of calls through it … */
	uint64_t calls_refused;   /* … and how many were too many, and are not noted yet */
	struct agent_setup setup; /* of its agent */
	int64_t turn_began;       /* by the clock of the loop */
	uv_timer_t timer;         /* of a retry, a hanging turn, or an idle agent */
};

/* `task` is NULL for the group itself. */
struct worker *worker_new(struct host *host, const char *folder, const char *task);

/* Begin the next turn, if there is one. Needs a place for an agent, or has one. */
void worker_begin(struct worker *worker);

/* End its agent when it is not in a turn. */
void worker_retire(struct worker *worker);

/* The same, now or when its turn is done: something that it was started with has changed. */
void worker_renew(struct worker *worker);

/* End its agent now; the turn stays open. */
void worker_stop(struct worker *worker, bool forget);

void worker_free(struct worker *worker);

#endif
