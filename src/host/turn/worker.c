#include "host/turn/worker.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "format/json.h"
#include "host/agent/agent_setup.h"
#include "host/agent/group_log.h"
#include "host/agent/group_socket.h"
#include "host/agent/sandboxes.h"
#include "host/base/watchers.h"
#include "host/chat/context.h"
#include "host/memory/memory.h"
#include "host/money/spending.h"
#include "host/schedule/scheduler.h"
#include "host/skill/skill_turn.h"
#include "host/turn/turn_end.h"
#include "ledger/sessions.h"
#include "proc/log.h"
#include "sandbox/watch.h"
#include "time/timestamp.h"

/* A turn during which the host was killed this often is given up. */
#define MAX_INTERRUPTIONS 50

struct worker *worker_new(const struct worker_desk *desk, const char *folder, const char *task)
{
	struct worker *worker = xcalloc(1, sizeof(*worker));

	worker->desk = desk;
	worker->folder = xstrdup(folder);
	worker->task = task ? xstrdup(task) : NULL;
	worker->setup.access.folder = worker->folder;
	worker->setup.access.turn = &worker->turn;
	uv_timer_init(&desk->inst->loop, &worker->timer);
	worker->timer.data = worker;
	return worker;
}

static void timer_closed(uv_handle_t *handle)
{
	struct worker *worker = handle->data;

	turn_release(&worker->turn);
	progress_release(&worker->progress);
	free(worker->resumed);
	free(worker->reason);
	free(worker->task);
	free(worker->folder);
	free(worker);
}

/* Through which its agent reaches the host and the API. */
static void close_connections(struct worker *worker)
{
	if (worker->socket)
		worker->desk->calls_end(worker, worker->desk->calls);
	group_socket_close(worker->socket);
	worker->socket = NULL;
	agent_setup_end(&worker->setup);
}

void worker_free(struct worker *worker)
{
	close_connections(worker);
	uv_close((uv_handle_t *)&worker->timer, timer_closed);
}

void worker_typing(struct worker *worker, bool on)
{
	struct channel *channel =
		installation_channel(worker->desk->inst, worker->turn.chat_jid);

	if (channel && channel->kind->typing)
		channel->kind->typing(channel, worker->turn.chat_jid, on);
}

void worker_retire(struct worker *worker)
{
	if (!worker->agent || worker->finishing)
		return;
	worker->finishing = true;
	agent_finish(worker->agent);
}

/* --- what it does next ------------------------------------------------------- */

static void idle_too_long(uv_timer_t *timer)
{
	struct worker *worker = timer->data;

	log_debug("the agent of '%s' is idle and ends", worker->folder);
	worker_retire(worker);
}

void worker_become_idle(struct worker *worker)
{
	worker->state = WORKER_IDLE;
	worker->idle_since = uv_now(&worker->desk->inst->loop);
	if (worker->agent && worker->task)
		worker_retire(worker); /* its run is gone: cancelled, or the group's now */
	else if (worker->agent)
		uv_timer_start(&worker->timer, idle_too_long,
			(uint64_t)worker->desk->inst->limits.idle_seconds * 1000, 0);
	else
		worker->desk->drop(worker->desk->queue, worker);
}

/* An isolated task's next run starts afresh; changed instructions concern every agent. */
void worker_end_outdated(struct worker *worker)
{
	if (worker->task || worker->outdated)
		worker_retire(worker);
}

void worker_look_for_more(struct worker *worker)
{
	worker_end_outdated(worker);
	uv_timer_stop(&worker->timer);
	turn_release(&worker->turn);
	worker->sent_in_turn = 0;
	worker->idle_since = uv_now(&worker->desk->inst->loop);
	worker->desk->line_up(worker->desk->queue, worker);
}

static void retry_is_due(uv_timer_t *timer)
{
	struct worker *worker = timer->data;

	worker->desk->line_up(worker->desk->queue, worker);
}

void worker_wait_until(struct worker *worker, int64_t time)
{
	int64_t wait = time - timestamp_clock();

	worker->state = WORKER_WAITING;
	uv_timer_start(&worker->timer, retry_is_due, wait > 0 ? (uint64_t)wait : 1, 0);
}

void worker_store_failed(struct worker *worker, const struct error *err)
{
	log_error("group '%s': %s", worker->folder, err->message);
	turn_release(&worker->turn);
	worker_wait_until(worker, timestamp_clock() + 5000);
}

/* --- answers ----------------------------------------------------------------- */

/* As Claude Code says it: in a result, and when it ends. */
static bool refuses_session(const struct worker *worker, const char *text)
{
	return worker->resumed && strstr(text, "No conversation found");
}

/* Ends the agent immediately, not as a failure; the next turn waits for its end. */
static void end_agent(struct worker *worker, const char *why)
{
	worker->finishing = true;
	agent_kill(worker->agent, why);
}

static void turn_answered(struct worker *worker, const struct stream_event *event)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *text = NULL;
	const char *why;

	if (event->is_error && refuses_session(worker, event->text)) {
		end_agent(worker, "its session cannot be resumed");
		turn_start_afresh(worker, event->text);
		return;
	}
	if (event->is_error) {
		CLEANUP(freep) char *reason = xasprintf("the agent says: %s", event->text);

		text = event->is_said ? context_strip(event->text) : NULL;
		turn_set_agents_reason(worker, text);
		turn_failed(worker, reason, !event->is_final);
		return;
	}
	worker_typing(worker, false);
	text = context_strip(event->text);
	if (turn_store_answer(worker, text, event->session_id, &err) < 0) {
		worker_store_failed(worker, &err);
		return;
	}
	/* Runs before the agent gets another turn, so that its last writes count. */
	why = worker->agent ? watch_disk_verdict(agent_sandbox(worker->agent)) : NULL;
	if (why)
		end_agent(worker, why);
	turn_done(worker);
}

/* --- the agent --------------------------------------------------------------- */

/* The time that the turn has left under the group's limit; INT64_MAX: no limit. */
static int64_t time_left(const struct worker *worker)
{
	int64_t took = (int64_t)uv_now(&worker->desk->inst->loop) - worker->turn_began;

	if (!worker->setup.turn_seconds)
		return INT64_MAX;
	return worker->setup.turn_seconds * 1000 - took;
}

static void turn_really_hangs(uv_timer_t *timer)
{
	struct worker *worker = timer->data;
	bool too_long = time_left(worker) <= 0;
	CLEANUP(freep)
	char *why = xasprintf(too_long ? "it took more than the %" PRId64
					 " seconds that its group has for a turn"
				       : "it said nothing for %" PRId64 " seconds",
		too_long ? worker->setup.turn_seconds
			 : worker->desk->inst->limits.turn_seconds);

	agent_kill(worker->agent, why);
}

/* If the host itself was delayed, the agent's output waits in the pipe: read it first. */
static void turn_hangs(uv_timer_t *timer)
{
	uv_timer_start(timer, turn_really_hangs, 1, 0);
}

static void expect_sign_of_life(struct worker *worker)
{
	int64_t silence = worker->desk->inst->limits.turn_seconds * 1000;
	int64_t left = time_left(worker);

	left = left < silence ? left : silence;
	uv_timer_start(&worker->timer, turn_hangs, left > 0 ? (uint64_t)left : 0, 0);
}

static void forget_session(struct worker *worker)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	log_note("group '%s': session %s cannot be resumed, a new one begins", worker->folder,
		worker->resumed);
	if (store_session_forget(worker->desk->inst->store, worker->folder, &err) < 0)
		log_error("group '%s': %s", worker->folder, err.message);
}

/*
 * A result does not name its turn, so it counts for the open one. Had this result come a little
 * later, it would have been the answer to the next turn. So the agent is ended, and the next turn
 * resumes its session in a new process.
 */
static void result_outside_turn(struct worker *worker, const struct stream_event *event)
{
	if (event->kind != STREAM_RESULT || worker->finishing)
		return;
	if (event->is_error && refuses_session(worker, event->text)) {
		/* It had no turn yet. */
		forget_session(worker);
		end_agent(worker, "its session cannot be resumed");
		return;
	}
	log_warning("group '%s': its agent sent an unexpected result; restarting it",
		worker->folder);
	end_agent(worker, "it sent an unexpected result");
}

/* Pieces of its text as they are written, and the tools that it uses. */
static void report_to_watchers(struct worker *worker, const struct stream_event *event)
{
	struct watchers *watchers = worker->desk->inst->watchers;
	struct view rest = view_of(event->tools ? event->tools : ""), tool;

	if (!watchers_wanted(watchers))
		return;
	if (event->kind == STREAM_PARTIAL)
		watchers_text(watchers, worker->folder, worker->turn.id, event->text);
	if (event->kind == STREAM_TEXT)
		watchers_text_end(watchers, worker->turn.id);
	while (view_next(&rest, '\n', &tool)) {
		CLEANUP(freep) char *shown = utf8_excerpt(tool);

		watchers_send(watchers,
			json_build("type:s group:s turn:o text:s", "step", worker->folder,
				json_sprintf("t%" PRId64, worker->turn.id), shown));
	}
}

static void agent_said(struct agent *agent, const struct stream_event *event, void *data)
{
	struct worker *worker = data;

	(void)agent;
	worker->talked = true;
	if (worker->forgotten || worker->desk->stopping)
		return;
	if (event->kind == STREAM_ECHO)
		worker->echoes = worker->taken_up = true;
	if (worker->state != WORKER_IN_TURN) {
		result_outside_turn(worker, event);
	} else if (event->kind != STREAM_RESULT) {
		expect_sign_of_life(worker);
		report_to_watchers(worker, event);
		progress_note(&worker->progress, worker->desk->inst->store,
			worker->desk->auditing, &worker->turn, event);
	} else if (worker->echoes && !worker->taken_up) {
		log_warning(
			"group '%s': ignoring a result from before this turn", worker->folder);
	} else {
		if (!worker->setup.access.asked)
			spending_reported(worker->desk->spending, worker->folder,
				worker->turn.id, &event->usage);
		turn_answered(worker, event);
	}
}

static char *describe_end(const struct agent_end *end)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct view errors = view_trim(view_of(end->errors));

	if (end->killed)
		buf_appendf(&text, "the agent was ended: %s", end->killed);
	else if (end->exit_code > 128)
		buf_appendf(&text, "the agent was killed by signal %d", end->exit_code - 128);
	else
		buf_appendf(&text, "the agent ended with exit code %d before it answered",
			end->exit_code);
	if (errors.len > TURN_MAX_DETAIL / 2)
		errors = view_slice(errors, errors.len - TURN_MAX_DETAIL / 2, errors.len);
	if (errors.len) {
		CLEANUP(freep) char *line = NULL;
		json_t *valid = json_text(errors);

		line = xstrdup(json_string_value(valid));
		json_decref(valid);
		buf_appendf(&text, ": %s", line);
	}
	return buf_take(&text);
}

static bool session_was_refused(const struct worker *worker, const struct agent_end *end)
{
	return worker->resumed && !end->killed && !worker->talked &&
	       (refuses_session(worker, end->errors) ||
		       (worker->turn.failures > 0 && end->exit_code != 0));
}

static void agent_ended(struct agent *agent, const struct agent_end *end, void *data)
{
	struct worker *worker = data;
	bool in_turn = worker->state == WORKER_IN_TURN;

	(void)agent;
	log_debug("the agent of '%s' has ended with %d", worker->folder, end->exit_code);
	worker->agent = NULL;
	worker->finishing = worker->outdated = false;
	close_connections(worker);
	sandboxes_ended(worker->desk->agents.sandboxes);
	if (in_turn)
		uv_timer_stop(&worker->timer);
	if (!worker->forgotten)
		group_log(worker->desk->inst->root, worker->folder, view_of(end->errors));
	if (worker->forgotten || worker->desk->stopping || worker->state == WORKER_IDLE) {
		worker->desk->drop(worker->desk->queue, worker);
	} else if (in_turn) {
		CLEANUP(freep) char *why = describe_end(end);

		if (end->killed) {
			CLEANUP(freep)
			char *reason = xasprintf("the agent was ended: %s", end->killed);

			turn_set_reason(worker, reason);
		}
		if (session_was_refused(worker, end))
			turn_start_afresh(worker, why);
		else
			turn_failed(worker, why, !worker->stopped);
	} else if (worker->unused && session_was_refused(worker, end)) {
		forget_session(worker); /* it had no turn yet */
	}
}

static json_t *agent_calls(struct view line, void *data)
{
	struct worker *worker = data;

	return worker->desk->call(worker, line, worker->desk->calls);
}

static int start_agent(struct worker *worker, struct error *err)
{
	static const struct agent_handlers handlers = {agent_said, agent_ended};
	CLEANUP(closep) int socket = -1;

	if (worker->agent)
		return 0;
	worker->talked = false;
	worker->echoes = false;
	worker->unused = true;
	if (group_socket_open(worker->desk->inst, worker->folder, worker->task, agent_calls,
		    worker, &worker->socket, err) < 0)
		return -1;
	if (group_socket_file(worker->socket, &socket, err) < 0 ||
		agent_setup_start(&worker->desk->agents,
			&(struct agent_start){
				.name = group_socket_name(worker->socket),
				.socket = socket,
				.session = worker->resumed,
				.handlers = &handlers,
				.data = worker,
			},
			&worker->setup, &worker->agent, err) < 0) {
		group_socket_close(worker->socket);
		worker->socket = NULL;
		return -1;
	}
	return 0;
}

/* --- a turn ------------------------------------------------------------------ */

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

static void begin_turn(struct worker *worker)
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
		turn_failed(worker, "the host was killed too often during this turn", false);
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
	if (start_agent(worker, &err) < 0) {
		if (err.kind == ERROR_INVALID)
			turn_set_reason(worker, err.message);
		turn_failed(worker, err.message, err.kind != ERROR_INVALID);
		return;
	}
	log_debug("group '%s': turn t%" PRId64 " begins", worker->folder, worker->turn.id);
	worker->unused = false;
	worker_typing(worker, true);
	worker->turn_began = (int64_t)uv_now(&worker->desk->inst->loop);
	expect_sign_of_life(worker);
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
 * input before the turn is stored. An error here is ignored: begin_turn() meets it again and
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
		start_agent(worker, &ignored);
}

void worker_begin(struct worker *worker)
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
		worker->desk->line_up(worker->desk->queue, worker);
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
		begin_turn(worker);
	}
}

void worker_renew(struct worker *worker)
{
	if (!worker->agent)
		return;
	if (worker->state == WORKER_IN_TURN)
		worker->outdated = true;
	else
		worker_retire(worker);
}

bool worker_stop_turn(struct worker *worker, int64_t turn)
{
	if (worker->state != WORKER_IN_TURN || worker->turn.id != turn || !worker->agent)
		return false;
	worker->stopped = true;
	agent_kill(worker->agent, "its owner stopped it");
	return true;
}

/* --- the end ----------------------------------------------------------------- */

void worker_stop(struct worker *worker, bool forget)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;

	worker->forgotten = forget;
	if (worker->state == WORKER_IN_TURN && !forget &&
		turn_attempt_end(worker->desk->inst->store, &worker->turn, ATTEMPT_STOPPED,
			"the host was stopped", 0, timestamp_clock(), &err) < 0)
		log_error("group '%s': %s", worker->folder, err.message);
	uv_timer_stop(&worker->timer);
	if (forget) {
		/*
		 * Immediately, because a new group with this folder would use the same socket
		 * names.
		 */
		close_connections(worker);
	}
	if (!worker->agent)
		worker->desk->drop(worker->desk->queue, worker);
	else if (forget || worker->state == WORKER_IN_TURN)
		agent_kill(worker->agent, forget ? "its group is removed" : "the host stops");
	else
		worker_retire(worker);
}
