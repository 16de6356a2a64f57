#include "host/turn/turn_begin.h"

#include <inttypes.h>

#include "host/base/watchers.h"
#include "host/memory/memory.h"
#include "host/money/spending.h"
#include "host/schedule/scheduler.h"
#include "host/skill/skill_turn.h"
#include "host/turn/queue.h"
#include "host/turn/turn_end.h"
#include "host/turn/worker_agent.h"
#include "ledger/groups.h"
#include "proc/log.h"
#include "time/timestamp.h"

/* A turn during which the host was killed this often is given up. */
#define MAX_INTERRUPTIONS 50

/* The session to resume; none if it is too old or too long. */
static int choose_session(struct worker *worker, struct error *err)
{
	CLEANUP(agent_session_release) struct agent_session session = {0};
	struct installation *inst = worker->desk->inst;
	const char *why = NULL;

	free(worker->resumed);
	worker->resumed = NULL;
	if (worker->task)
		return 0;
	if (store_session_get(inst->store, worker->folder, &session, err) < 0)
		return -1;
	if (!session.id)
		return 0;
	if (session.turns >= inst->limits.session_turns)
		why = "it has become too long";
	else if (timestamp_clock() - session.used_at >
		 inst->limits.session_hours * 60 * 60 * 1000)
		why = "it has expired";
	if (why) {
		log_note("group '%s': session %s is not resumed, a new one begins: %s",
			worker->folder, session.id, why);
		return store_session_forget(inst->store, worker->folder, err);
	}
	worker->resumed = TAKE(session.id);
	return 0;
}

/* Claim the turn and, if it is due, note the attempt, in one transaction. */
static int claim_turn(struct worker *worker, int64_t now, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	struct installation *inst = worker->desk->inst;

	if (txn_begin(&txn, inst->store, err) < 0 ||
		turn_next(inst->store, worker->folder, worker->task, now, &worker->turn, err) <
			0 ||
		(worker->turn.id && worker->turn.not_before <= now &&
			((!worker->agent && choose_session(worker, err) < 0) ||
				turn_attempt_begin(inst->store, &worker->turn,
					worker->agent ? NULL : worker->resumed, now, err) < 0)))
		return -1;
	return txn_commit(&txn, "begin", err);
}

/*
 * The text for the agent. If the host answers without an agent, the turn has ended and
 * `*ret_done` is true.
 */
static int prepare_turn(
	struct worker *worker, struct buf *ret_context, bool *ret_done, struct error *err)
{
	CLEANUP(txn_end) struct txn txn = TXN_INIT;
	CLEANUP(freep) char *answer = NULL;
	struct store *store = worker->desk->inst->store;

	if (txn_begin(&txn, store, err) < 0 ||
		skill_turn_prepare(worker->desk->inst, &worker->turn, timestamp_clock(),
			ret_context, &answer, err) < 0 ||
		(answer && turn_store_answer(worker, answer, NULL, err) < 0))
		return -1;
	*ret_done = answer != NULL;
	return txn_commit(&txn, "prepared", err);
}

static void attempt_turn(struct worker *worker)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(buf_release) struct buf context = BUF_INIT;
	bool done = false;

	worker->state = WORKER_IN_TURN;
	worker->sent_in_turn = 0;
	worker->stopped = false;
	worker->taken_up = false;
	progress_begin(&worker->progress);
	worker->setup.access.asked = false;
	worker->tasks_in_turn = 0;
	turn_set_reason(worker, NULL);
	if (worker->turn.interruptions > MAX_INTERRUPTIONS) {
		turn_failed(worker, "this turn was interrupted too often", false);
		return;
	}
	if (prepare_turn(worker, &context, &done, &err) < 0) {
		/* A wrong setting is reported to the person; a failure of the store is retried. */
		if (err.kind != ERROR_INVALID) {
			worker_store_failed(worker, &err);
			return;
		}
		turn_set_reason(worker, err.message);
		turn_failed(worker, err.message, false);
		return;
	}
	if (done) {
		turn_done(worker);
		return;
	}
	if (worker_start_agent(worker, &err) < 0) {
		if (err.kind == ERROR_INVALID)
			turn_set_reason(worker, err.message);
		turn_failed(worker, err.message, err.kind != ERROR_INVALID);
		return;
	}
	log_debug("group '%s': turn t%" PRId64 " begins", worker->folder, worker->turn.id);
	worker->unused = false;
	worker_typing(worker, true);
	worker->turn_began = (int64_t)uv_now(&worker->desk->inst->loop);
	worker_expect_life(worker);
	watchers_turn(worker->desk->inst->watchers, worker->folder, worker->turn.id, "begun");
	agent_say(worker->agent, view_of_buf(&context));
}

/* If its budget is used up: no turn begins, and its agent's place becomes free. */
static bool pause_if_held(struct worker *worker)
{
	if (!spending_hold(worker->desk->spending, worker->folder, worker->task,
		    &worker->paused_until))
		return false;
	log_debug("group '%s' is paused", worker->folder);
	worker->state = WORKER_PAUSED;
	worker_retire(worker);
	memory_attend(worker->desk->agents.memory, worker->folder);
	scheduler_remind(worker->desk->scheduler, worker->paused_until);
	return true;
}

/*
 * Start its agent before the turn is claimed and prepared, to save time. The agent gets no
 * input before the turn is stored. An error here is ignored: attempt_turn() meets it again and
 * reports it.
 */
static void start_early(struct worker *worker)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	struct store *store = worker->desk->inst->store;
	bool has_work; /* false if the message that woke the worker was not stored after all */

	if (!worker->agent &&
		turn_has_work(store, worker->folder, worker->task, &has_work, &ignored) == 0 &&
		has_work &&
		spending_may_begin(worker->desk->spending, worker->folder, &ignored) == 0 &&
		choose_session(worker, &ignored) == 0)
		worker_start_agent(worker, &ignored);
}

void turn_begin(struct worker *worker)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	int64_t now = timestamp_clock(); /* the same for the claim and the attempt */
	bool woken = worker->woken;

	uv_timer_stop(&worker->timer);
	turn_release(&worker->turn);
	if (worker->agent && !worker->unused &&
		agent_setup_is_outdated(&worker->desk->agents, &worker->setup)) {
		/* A new agent gets the turn, once this one has ended. */
		worker_retire(worker);
		queue_line_up(worker->desk->queue, worker);
		return;
	}
	if (pause_if_held(worker))
		return;
	if (!worker->agent && !agent_setup_known(&worker->desk->agents, &worker->setup)) {
		worker->state = WORKER_PROBING;
		return;
	}
	worker->woken = false;
	if (woken)
		start_early(worker);
	if (claim_turn(worker, now, &err) < 0) {
		turn_release(&worker->turn);
		worker_store_failed(worker, &err);
		return;
	}
	if (!worker->turn.id) {
		worker_become_idle(worker);
	} else if (worker->turn.not_before > now) {
		int64_t time = worker->turn.not_before;

		turn_release(&worker->turn);
		worker_wait_until(worker, time);
	} else {
		attempt_turn(worker);
	}
}
