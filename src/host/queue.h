/*
 * Which group is next.
 *
 *	queue_wake(queue, folder)	the group may have something to do
 *	queue_wake_task(…)		so may an isolated task, which stands in line by itself
 *	queue_work(queue)		before the loop sleeps: begin what may begin
 *
 * Groups stand in line and get one turn each, first come, first served. As many agents
 * run at a time as the limit allows. A group whose agent is alive needs no new place;
 * when a group has none and all are taken, the agent that has been idle longest is
 * ended to make room.
 */
#ifndef HOST_QUEUE_H
#define HOST_QUEUE_H

#include "host/parts.h"

struct worker;

struct queue *queue_new(struct host *host);

/* End all agents; turns that are under way are taken up at the next start. */
void queue_stop(struct queue *queue);
void queue_free(struct queue *queue);

void queue_wake(struct queue *queue, const char *folder);
void queue_wake_task(struct queue *queue, const char *folder, const char *task_id);
void queue_work(struct queue *queue);

/* The group is being removed: end its agents, and take no notice of what they say. */
void queue_forget(struct queue *queue, const char *folder);

/* What its agents were started with has changed: end them when their turns are done. NULL: all.
 */
void queue_renew(struct queue *queue, const char *folder);

/*
 * Groups that are paused by their budget look again: of this folder, or all of them (NULL); or
 * those whose pause is over at this time. queue_paused_until() is when the first pause is over;
 * INT64_MAX: there is none.
 */
void queue_wake_paused(struct queue *queue, const char *folder);
void queue_wake_over(struct queue *queue, int64_t now);
int64_t queue_paused_until(const struct queue *queue);

/* Groups that wait until a kind of sandbox was tried look again. */
void queue_wake_probing(struct queue *queue);

struct queue_numbers {
	unsigned agents;  /* alive */
	unsigned working; /* of these, in a turn */
	unsigned waiting; /* groups in line */
};

struct queue_numbers queue_count(const struct queue *queue);

/* All of them, busy or not; `see` may end agents. */
void queue_each(
	struct queue *queue, void (*see)(struct worker *worker, void *data), void *data);

/* --- for worker.c ------------------------------------------------------------ */

/* It has something to do: to the end of the line. */
void queue_line_up(struct queue *queue, struct worker *worker);
/* It has no agent and nothing to do. */
void queue_drop(struct queue *queue, struct worker *worker);

#endif
