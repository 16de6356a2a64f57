#include "host/turn/worker.h"

#include <string.h>

#include "host/agent/agent_setup.h"
#include "host/agent/group_socket.h"
#include "host/turn/queue.h"
#include "proc/log.h"
#include "time/timestamp.h"

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

static void worker_timer_closed(uv_handle_t *handle)
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

void worker_close_connections(struct worker *worker)
{
	if (worker->socket)
		worker->desk->calls_end(worker, worker->desk->calls);
	group_socket_close(worker->socket);
	worker->socket = NULL;
	agent_setup_end(&worker->setup);
}

void worker_free(struct worker *worker)
{
	worker_close_connections(worker);
	uv_close((uv_handle_t *)&worker->timer, worker_timer_closed);
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
		queue_drop(worker->desk->queue, worker);
}

/* An isolated task's next run needs a new agent; changed instructions affect every agent. */
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
	worker->idle_since = uv_now(&worker->desk->inst->loop);
	queue_line_up(worker->desk->queue, worker);
}

static void worker_retry_is_due(uv_timer_t *timer)
{
	struct worker *worker = timer->data;

	queue_line_up(worker->desk->queue, worker);
}

void worker_wait_until(struct worker *worker, int64_t time)
{
	int64_t wait = time - timestamp_clock();

	worker->state = WORKER_WAITING;
	uv_timer_start(&worker->timer, worker_retry_is_due, wait > 0 ? (uint64_t)wait : 1, 0);
}

void worker_store_failed(struct worker *worker, const struct error *err)
{
	log_error("group '%s': %s", worker->folder, err->message);
	turn_release(&worker->turn);
	worker_wait_until(worker, timestamp_clock() + 5000);
}

/* --- interruptions ------------------------------------------------------------ */

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
		worker_close_connections(worker);
	}
	if (!worker->agent)
		queue_drop(worker->desk->queue, worker);
	else if (forget || worker->state == WORKER_IN_TURN)
		agent_kill(worker->agent, forget ? "its group is removed" : "the host stops");
	else
		worker_retire(worker);
}
