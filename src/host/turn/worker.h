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
 * While a group's budget is used up (spending.h), its worker is paused and has no turns.
 *
 * A turn that fails is retried after a delay. After the last attempt it is given up, with an
 * error that the person sees (L5). Until then, later messages of the group wait too.
 */
#ifndef HOST_TURN_WORKER_H
#define HOST_TURN_WORKER_H

#include <jansson.h>
#include <stdbool.h>
#include <uv.h>

#include "agent/agent.h"
#include "host/agent/agent_setup.h"
#include "host/base/installation.h"
#include "host/turn/progress.h"
#include "ledger/turns.h"
#include "time/rate_limit.h"

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
	bool stopping; /* set by queue_stop() */
	struct queue *queue;
	/* Set to group_calls.h: reply to a line from the socket; the socket is being closed. */
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
	bool woken;     /* there is work for it, so the next turn can be prepared early */
	bool forgotten; /* its group is gone */
	bool finishing; /* its agent was asked to end */
	bool outdated;  /* its agent ends when its turn is done */
	bool stopped;   /* a person has ended this turn: it is not tried again */
	uint64_t idle_since;
	uint64_t in_line_since;
	int64_t paused_until; /* by the clock of the machine */
	struct agent *agent;
	char *resumed; /* the session that the agent was started with, or NULL */
	char *reason;  /* why the turn failed, in words for the person; or NULL */
	bool unused;   /* the agent has had no turn yet */
	bool talked;   /* the agent has written an event since it was started */
	bool echoes;   /* it echoes the input of each turn, … */
	bool taken_up; /* … and has echoed that of this turn */
	struct turn turn;
	struct progress progress;
	int sent_in_turn;  /* texts that the agent has sent with send_message (L8) */
	int tasks_in_turn; /* tasks that it has scheduled, likewise */
	struct group_socket *socket;
	struct rate_limit rate; /* of calls through it … */
	uint64_t calls_refused; /* … and calls over it that the audit log does not have yet */
	struct agent_setup setup; /* of its agent */
	int64_t turn_began;       /* by the clock of the loop */
	uv_timer_t timer;         /* of a retry, a hanging turn, or an idle agent */
};

/* --- for the queue ------------------------------------------------------------ */

/* `task` is NULL for the group itself. */
struct worker *worker_new(const struct worker_desk *desk, const char *folder, const char *task);

/* The instructions of its agent have changed: end the agent, now or after its turn. */
void worker_renew(struct worker *worker);

/* End its turn if it is this one, with an error as the answer; false: it is not. */
bool worker_stop_turn(struct worker *worker, int64_t turn);

/* End its agent now; the turn stays open. */
void worker_stop(struct worker *worker, bool forget);

void worker_free(struct worker *worker);

/* --- for the other files of this room ------------------------------------------- */

/* Close the connections through which its agent reaches the host and the API. */
void worker_close_connections(struct worker *worker);

/* Show in the chat that somebody is typing, or no longer. */
void worker_typing(struct worker *worker, bool on);

/* Ask its agent to end; only between turns. */
void worker_retire(struct worker *worker);

/* There is nothing to do: its agent ends after the idle time, an isolated task's at once. */
void worker_become_idle(struct worker *worker);

/* To the end of the queue; the worker looks for work when its place comes up. */
void worker_look_for_more(struct worker *worker);

void worker_wait_until(struct worker *worker, int64_t time);

/* Between two turns: end an agent that is outdated, or that ran an isolated task. */
void worker_end_outdated(struct worker *worker);

/* The turn could not be stored: it is still open in the store, and is repeated. */
void worker_store_failed(struct worker *worker, const struct error *err);

#endif
