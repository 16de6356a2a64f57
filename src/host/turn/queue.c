#include "host/turn/queue.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/chat/delivery.h"
#include "host/turn/turn_begin.h"
#include "host/turn/worker.h"
#include "ledger/groups.h"
#include "proc/log.h"
#include "sandbox/watch.h"

struct queue {
	struct worker_desk *desk;
	struct worker *workers;
	struct worker *line;
	struct worker **end_of_line;
	int64_t told; /* the last turn of which main has heard that it holds up others */
};

void queue_chat_moved(struct queue *queue, const char *jid, const char *new_jid)
{
	for (struct worker *w = queue->workers; w; w = w->next)
		if (w->turn.chat_jid && !strcmp(w->turn.chat_jid, jid)) {
			worker_typing(w, false);
			free(w->turn.chat_jid);
			w->turn.chat_jid = xstrdup(new_jid);
		}
}

struct queue *queue_new(struct worker_desk *desk)
{
	struct queue *queue = xcalloc(1, sizeof(*queue));

	desk->queue = queue;
	queue->desk = desk;
	queue->end_of_line = &queue->line;
	return queue;
}

void queue_free(struct queue *queue)
{
	free(queue);
}

void queue_line_up(struct queue *queue, struct worker *worker)
{
	worker->state = WORKER_IN_LINE;
	worker->in_line_since = uv_now(&queue->desk->inst->loop);
	worker->next_in_line = NULL;
	*queue->end_of_line = worker;
	queue->end_of_line = &worker->next_in_line;
}

static void leave_line(struct queue *queue, struct worker *worker)
{
	struct worker **at = &queue->line;

	while (*at && *at != worker)
		at = &(*at)->next_in_line;
	if (!*at)
		return;
	*at = worker->next_in_line;
	if (!*at)
		queue->end_of_line = at;
}

void queue_wake(struct queue *queue, const char *folder, const char *task)
{
	struct worker *worker = queue->workers;

	if (queue->desk->stopping)
		return;
	while (worker &&
		(worker->forgotten || strcmp(worker->folder, folder) != 0 ||
			strcmp(worker->task ? worker->task : "", task ? task : "") != 0))
		worker = worker->next;
	if (!worker) {
		worker = worker_new(queue->desk, folder, task);
		worker->next = queue->workers;
		queue->workers = worker;
	}
	/* A busy worker looks for more work when it is done. */
	if (worker->state != WORKER_IDLE && worker->state != WORKER_PAUSED)
		return;
	worker->woken = true;
	queue_line_up(queue, worker);
}

void queue_drop(struct queue *queue, struct worker *worker)
{
	struct worker **at = &queue->workers;

	leave_line(queue, worker);
	while (*at != worker)
		at = &(*at)->next;
	*at = worker->next;
	worker_free(worker);
}

/* --- places ------------------------------------------------------------------ */

/* Main has a place of its own beside the others, so it is answered however busy they are. */
static bool worker_is_main(const struct worker *worker)
{
	return !worker->task && !strcmp(worker->folder, GROUP_MAIN);
}

/* Prefers an agent whose group has no work to one whose group is in line. */
static struct worker *longest_idle(const struct queue *queue)
{
	struct worker *found = NULL;

	for (struct worker *w = queue->workers; w; w = w->next) {
		if (!w->agent || w->state == WORKER_IN_TURN || worker_is_main(w))
			continue;
		if (w->finishing)
			return NULL; /* a place is about to be free */
		if (!found || (found->state == WORKER_IN_LINE && w->state != WORKER_IN_LINE) ||
			(found->state == w->state && w->idle_since < found->idle_since))
			found = w;
	}
	return found;
}

/*
 * Isolated tasks leave one place free for people who write, and the tasks of one group take at
 * most half of all places.
 */
static bool may_have_place(const struct queue *queue, const struct worker *worker)
{
	int64_t places = queue->desk->inst->limits.agents;
	int64_t tasks = 0;
	int64_t own = 0;

	if (!worker->task || worker->agent)
		return true;
	for (const struct worker *w = queue->workers; w; w = w->next) {
		if (!w->task || !w->agent)
			continue;
		tasks++;
		own += !strcmp(w->folder, worker->folder);
	}
	return tasks < (places > 1 ? places - 1 : 1) && own < (places > 3 ? places / 2 : 1);
}

static bool has_place(struct queue *queue, const struct worker *worker)
{
	struct worker *idle;
	int64_t taken = 0;

	if (worker->agent && !worker->finishing)
		return true;
	if (worker->agent)
		return false; /* its old agent has to end first */
	for (const struct worker *w = queue->workers; w; w = w->next)
		taken += w->agent && !worker_is_main(w);
	if (worker_is_main(worker) || taken < queue->desk->inst->limits.agents)
		return true;
	idle = longest_idle(queue);
	if (idle)
		worker_retire(idle);
	return false;
}

void queue_work(struct queue *queue)
{
	struct worker *next;
	bool is_full = false;

	for (struct worker *worker = queue->line; worker && !queue->desk->stopping;
		worker = next) {
		next = worker->next_in_line;
		if (is_full && !worker_is_main(worker))
			continue;
		if (!may_have_place(queue, worker))
			continue; /* the groups behind it do not wait for this */
		if (has_place(queue, worker)) {
			leave_line(queue, worker);
			turn_begin(worker);
		} else if (!worker->agent) {
			is_full = true; /* the next free place is for this one */
		}
	}
}

const struct worker *queue_holder(const struct queue *queue)
{
	uint64_t patience = (uint64_t)queue->desk->inst->limits.wait_seconds * 1000;
	uint64_t now = uv_now(&queue->desk->inst->loop);
	const struct worker *holder = NULL;
	bool is_waited = false;

	for (const struct worker *w = queue->workers; w; w = w->next) {
		is_waited |= w->state == WORKER_IN_LINE && !w->agent &&
			     now - w->in_line_since >= patience && may_have_place(queue, w);
		if (w->state == WORKER_IN_TURN && !worker_is_main(w) &&
			(!holder || w->turn_began < holder->turn_began))
			holder = w;
	}
	return is_waited ? holder : NULL;
}

/* Main hears of it once for each turn. */
static void queue_tell_holder(struct queue *queue)
{
	CLEANUP(error_release) struct error err = ERROR_INIT;
	CLEANUP(freep) char *about = NULL;
	CLEANUP(freep) char *text = NULL;
	const struct worker *holder = queue_holder(queue);

	if (!holder || holder->turn.id == queue->told)
		return;
	queue->told = holder->turn.id;
	about = xasprintf("holds-t%" PRId64, holder->turn.id);
	text = xasprintf("The agent of '%s' keeps other groups waiting: it has worked on turn "
			 "t%" PRId64
			 " for a long time, and no place is free. To end that turn: "
			 "nanoclaw turn stop t%" PRId64 ". For more places: NANOCLAW_AGENTS in "
			 "'.env'.",
		holder->folder, holder->turn.id, holder->turn.id);
	if (delivery_notice_main(queue->desk->delivery, NULL, about, text, &err) < 0)
		log_error("main was not told who holds up the others: %s", err.message);
}

/* --- the end ----------------------------------------------------------------- */

void queue_forget(struct queue *queue, const char *folder)
{
	struct worker *next;

	for (struct worker *worker = queue->workers; worker; worker = next) {
		next = worker->next;
		if (worker->forgotten || strcmp(worker->folder, folder) != 0)
			continue;
		leave_line(queue, worker);
		worker_stop(worker, true);
	}
}

void queue_renew(struct queue *queue, const char *folder)
{
	for (struct worker *worker = queue->workers; worker; worker = worker->next)
		if (!worker->forgotten && (!folder || !strcmp(worker->folder, folder)))
			worker_renew(worker);
}

bool queue_stop_turn(struct queue *queue, int64_t turn)
{
	for (struct worker *worker = queue->workers; worker; worker = worker->next)
		if (worker_stop_turn(worker, turn))
			return true;
	return false;
}

void queue_stop(struct queue *queue)
{
	struct worker *next;

	queue->desk->stopping = true;
	for (struct worker *worker = queue->workers; worker; worker = next) {
		next = worker->next;
		leave_line(queue, worker);
		worker_stop(worker, false);
	}
}

void queue_wake_paused(struct queue *queue, const char *folder)
{
	for (struct worker *w = queue->workers; w && !queue->desk->stopping; w = w->next)
		if (w->state == WORKER_PAUSED && !w->forgotten &&
			(!folder || !strcmp(w->folder, folder)))
			queue_line_up(queue, w);
}

void queue_wake_expired(struct queue *queue, int64_t now)
{
	for (struct worker *w = queue->workers; w && !queue->desk->stopping; w = w->next)
		if (w->state == WORKER_PAUSED && !w->forgotten && w->paused_until <= now)
			queue_line_up(queue, w);
}

void queue_wake_probing(struct queue *queue)
{
	for (struct worker *w = queue->workers; w && !queue->desk->stopping; w = w->next)
		if (w->state == WORKER_PROBING && !w->forgotten)
			queue_line_up(queue, w);
}

int64_t queue_paused_until(const struct queue *queue)
{
	int64_t first = INT64_MAX;

	for (const struct worker *w = queue->workers; w; w = w->next)
		if (w->state == WORKER_PAUSED && w->paused_until < first)
			first = w->paused_until;
	return first;
}

struct queue_numbers queue_count(const struct queue *queue)
{
	struct queue_numbers numbers = {0};

	for (const struct worker *w = queue->workers; w; w = w->next) {
		numbers.agents += w->agent != NULL;
		numbers.working += w->state == WORKER_IN_TURN;
		numbers.waiting += w->state == WORKER_IN_LINE;
	}
	return numbers;
}

void queue_watch(struct queue *queue)
{
	struct watch seen = WATCH_INIT;

	if (!queue_count(queue).agents)
		return;
	queue_tell_holder(queue);
	watch_look(&seen);
	for (struct worker *worker = queue->workers; worker; worker = worker->next) {
		struct sandbox *sandbox = worker->agent ? agent_sandbox(worker->agent) : NULL;
		const char *why = sandbox ? watch_verdict(&seen, sandbox) : NULL;

		if (!why)
			continue;
		worker->finishing = true; /* it gets no further turn */
		agent_kill(worker->agent, why);
	}
	watch_release(&seen);
}
