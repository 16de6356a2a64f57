/*
 * Which group is next.
 *
 *	queue_wake(queue, folder, NULL)	the group may have something to do
 *	queue_wake(queue, folder, id)	so may an isolated task, which has a lane of its own
 *	queue_work(queue)		before the loop sleeps: begin what may begin
 *
 * Groups stand in line and get one turn each, first come, first served. As many agents
 * run at a time as the limit allows. A group whose agent is alive needs no new place;
 * when a group has none and all are taken, the agent that has been idle longest is
 * ended to make room.
 */
#ifndef HOST_TURN_QUEUE_H
#define HOST_TURN_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct queue;
struct worker_desk;

/* It sets its own part of the desk, which must live as long as it. */
struct queue *queue_new(struct worker_desk *desk);

/* End all agents; turns that are under way are taken up at the next start. */
void queue_stop(struct queue *queue);
void queue_free(struct queue *queue);

void queue_wake(struct queue *queue, const char *folder, const char *isolated_task);
void queue_work(struct queue *queue);

/* A chat has a new id: open turns send their answers there. */
void queue_chat_moved(struct queue *queue, const char *jid, const char *new_jid);

/* The group is being removed: end its agents, and ignore their output. */
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
void queue_wake_expired(struct queue *queue, int64_t now);
int64_t queue_paused_until(const struct queue *queue);

/* A person ends a turn; false: no agent is working on it. */
bool queue_stop_turn(struct queue *queue, int64_t turn);

/* Groups that wait until a kind of sandbox was tried look again. */
void queue_wake_probing(struct queue *queue);

struct queue_numbers {
	unsigned agents;  /* alive */
	unsigned working; /* of which in a turn */
	unsigned waiting; /* groups in line */
};

struct queue_numbers queue_count(const struct queue *queue);

/* End the agents whose sandboxes are beyond their limits (sandbox/watch.h). */
void queue_watch(struct queue *queue);

#endif
