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
 * is paused.
 *
 * A turn that fails is tried again after a while, and then given up with an error
 * that the person sees (L5). While it waits, later messages of the group wait, too.
 */
#ifndef HOST_TURN_WORKER_H
#define HOST_TURN_WORKER_H

#include <jansson.h>
#include <stdbool.h>
#include <uv.h>

#include "agent/agent.h"
#include "host/agent/agent_setup.h"
#include "host/base/call_rate.h"
#include "host/base/installation.h"
#include "host/turn/progress.h"
#include "ledger/turns.h"

struct delivery;
struct queue;
struct auditing;
struct scheduler;
struct spending;
struct worker;

/* The parts of the host that workers use. */
struct worker_desk {
	struct installation *inst;
	struct auditing *auditing;
	struct agent_desk agents;
	struct delivery *delivery;
	struct scheduler *scheduler; /* NULL: the host stops */
	struct spending *spending;
	bool stopping;
	/* Set by the queue: to the end of the line; it has no agent and nothing to do. */
	void (*line_up)(struct queue *queue, struct worker *worker);
	void (*drop)(struct queue *queue, struct worker *worker);
	struct queue *queue;
	/* A line from the socket of its group, and the reply, never NULL; its socket closes. */
	json_t *(*call)(struct worker *worker, struct view line, void *data);
	void (*calls_end)(struct worker *worker, void *data);
	void *calls;
};

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
	const struct worker_desk *desk;
	char *folder;
	char *task; /* the isolated task that it is for; NULL: it is the group's */
	enum worker_state state;
	bool woken;     /* something came for it: there will be a turn */
	bool forgotten; /* its group is gone */
	bool finishing; /* its agent was told to end */
	bool outdated;  /* its agent ends when its turn is done */
	bool stopped;   /* a person has ended this turn: it is not tried again */
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
	int sent_in_turn;  /* how much the agent has said by itself (L8) */
	int tasks_in_turn; /* how many tasks it has made, likewise */
	struct group_socket *socket;
	struct rate_limit rate;   /* of calls through it … */
	uint64_t calls_refused;   /* … and how many were too many, and are not noted yet */
	struct agent_setup setup; /* of its agent */
	int64_t turn_began;       /* by the clock of the loop */
	uv_timer_t timer;         /* of a retry, a hanging turn, or an idle agent */
};

/* --- for the queue ------------------------------------------------------------ */

/* `task` is NULL for the group itself. */
struct worker *worker_new(const struct worker_desk *desk, const char *folder, const char *task);

/* Begin the next turn, if there is one. Needs a place for an agent, or has one. */
void worker_begin(struct worker *worker);

/* End its agent, now or when its turn is done: something that it was started with has changed. */
void worker_renew(struct worker *worker);

/* End its turn if it is this one, with an error as the answer; false: it is not. */
bool worker_stop_turn(struct worker *worker, int64_t turn);

/* End its agent now; the turn stays open. */
void worker_stop(struct worker *worker, bool forget);

void worker_free(struct worker *worker);

/* --- for turn_end.c ----------------------------------------------------------- */

/* Does the chat show that somebody is typing? */
void worker_typing(struct worker *worker, bool on);

/* End its agent when it is not in a turn. */
void worker_retire(struct worker *worker);

/* There is nothing to do: its agent ends after a while, or at once. */
void worker_become_idle(struct worker *worker);

/* To the end of the queue; the worker looks for work when its place comes up. */
void worker_look_for_more(struct worker *worker);

void worker_wait_until(struct worker *worker, int64_t time);

/* The change takes effect in its next turn. */
void worker_end_outdated(struct worker *worker);

/* The store rejected it: the turn is still open there, and will be repeated. */
void worker_store_failed(struct worker *worker, const struct error *err);

#endif
