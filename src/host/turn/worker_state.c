#include "host/turn/worker_state.h"

#include "proc/log.h"
#include "time/timestamp.h"

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

/* What an isolated task was told is not for its next run; what has changed is for all. */
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

static void time_has_come(uv_timer_t *timer)
{
	struct worker *worker = timer->data;

	worker->desk->line_up(worker->desk->queue, worker);
}

void worker_wait_until(struct worker *worker, int64_t time)
{
	int64_t wait = time - timestamp_clock();

	worker->state = WORKER_WAITING;
	uv_timer_start(&worker->timer, time_has_come, wait > 0 ? (uint64_t)wait : 1, 0);
}

void worker_store_failed(struct worker *worker, const struct error *err)
{
	log_error("group '%s': %s", worker->folder, err->message);
	turn_release(&worker->turn);
	worker_wait_until(worker, timestamp_clock() + 5000);
}
