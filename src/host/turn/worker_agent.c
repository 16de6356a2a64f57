#include "host/turn/worker_agent.h"

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
#include "host/money/spending.h"
#include "host/turn/queue.h"
#include "host/turn/turn_end.h"
#include "ledger/groups.h"
#include "proc/log.h"
#include "sandbox/watch.h"

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

static void result_in_turn(struct worker *worker, const struct stream_event *event)
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

void worker_expect_life(struct worker *worker)
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
		worker_expect_life(worker);
		report_to_watchers(worker, event);
		progress_note(worker, event);
	} else if (worker->echoes && !worker->taken_up) {
		log_warning(
			"group '%s': ignoring a result from before this turn", worker->folder);
	} else {
		if (!worker->setup.access.asked)
			spending_reported(worker->desk->spending, worker->folder,
				worker->turn.id, &event->usage);
		result_in_turn(worker, event);
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

/* The last line that it wrote. */
static char *last_error(const struct agent_end *end)
{
	struct view rest = view_trim(view_of(end->errors)), line = rest;
	json_t *valid;
	char *text;

	while (view_next(&rest, '\n', &line))
		;
	valid = json_text(line);
	text = xstrdup(json_string_value(valid));
	json_decref(valid);
	return text;
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
	worker_close_connections(worker);
	sandboxes_ended(worker->desk->agents.sandboxes);
	if (in_turn)
		uv_timer_stop(&worker->timer);
	if (!worker->forgotten)
		group_log(worker->desk->inst->root, worker->folder, view_of(end->errors));
	if (worker->forgotten || worker->desk->stopping || worker->state == WORKER_IDLE) {
		queue_drop(worker->desk->queue, worker);
	} else if (in_turn) {
		CLEANUP(freep) char *why = describe_end(end);
		CLEANUP(freep) char *last = last_error(end);

		if (end->killed) {
			CLEANUP(freep)
			char *reason = xasprintf("the agent was ended: %s", end->killed);

			turn_set_reason(worker, reason);
		}
		if (end->elsewhere && !end->killed && !worker->talked &&
			end->exit_code == SANDBOX_NO_PLACE)
			turn_without_place(worker, last);
		else if (end->elsewhere && !end->killed && end->exit_code == SANDBOX_LOST)
			turn_lost(worker, last);
		else if (session_was_refused(worker, end))
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

int worker_start_agent(struct worker *worker, struct error *err)
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
