#include "host/turn/queue.h"

#include <stdlib.h>
#include <string.h>

#include "host/turn/turn_begin.h"
#include "host/turn/worker.h"
#include "sandbox/watch.h"

struct queue {
	struct worker_desk *desk;
	struct worker *workers;
	struct worker *line;
	struct worker **end_of_line;
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

/* Prefers an agent whose group has no work to one whose group is in line. */
static struct worker *longest_idle(const struct queue *queue)
{
	struct worker *found = NULL;

	for (struct worker *w = queue->workers; w; w = w->next) {
		if (!w->agent || w->state == WORKER_IN_TURN)
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

	if (worker->agent && !worker->finishing)
		return true;
	if (worker->agent)
		return false; /* its old agent has to end first */
	if (queue_count(queue).agents < queue->desk->inst->limits.agents)
		return true;
	idle = longest_idle(queue);
	if (idle)
		worker_retire(idle);
	return false;
}

void queue_work(struct queue *queue)
{
	struct worker *next;

	for (struct worker *worker = queue->line; worker && !queue->desk->stopping;
		worker = next) {
		next = worker->next_in_line;
		if (!may_have_place(queue, worker))
			continue; /* the groups behind it do not wait for this */
		if (has_place(queue, worker)) {
			leave_line(queue, worker);
			turn_begin(worker);
		} else if (!worker->agent) {
			return; /* the next free place is for this one */
		}
	}
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
