/*
 * Which group is next.
 *
 *	queue_wake(queue, folder, NULL)	the group may have work
 *	queue_wake(queue, folder, id)	an isolated task may have work, in its own lane
 *	queue_work(queue)		before the loop sleeps: begin the turns that can begin
 *
 * Groups wait in line and get one turn each, first come, first served. The number of running
 * agents is limited: each needs a place. A group whose agent is alive has one. If all places
 * are taken, the agent that has been idle longest is ended to free its place. Main's agent has a
 * place of its own, which is not counted: main is answered however busy the others are.
 */
#ifndef HOST_TURN_QUEUE_H
#define HOST_TURN_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct queue;
struct worker;
struct worker_desk;

/* Sets `desk->queue`; `desk` must outlive the queue. */
struct queue *queue_new(struct worker_desk *desk);

/* End all agents; the next host resumes the turns that are under way. */
void queue_stop(struct queue *queue);
void queue_free(struct queue *queue);

void queue_wake(struct queue *queue, const char *folder, const char *isolated_task);
void queue_work(struct queue *queue);

/* A chat has a new id: open turns send their answers there. */
void queue_chat_moved(struct queue *queue, const char *jid, const char *new_jid);

/* The group is being removed: end its agents, and ignore their output. */
void queue_forget(struct queue *queue, const char *folder);

/*
 * The instructions of a group's agents have changed: end the agents after their turns. NULL:
 * all.
 */
void queue_renew(struct queue *queue, const char *folder);

/*
 * Groups that their budget has paused check it again: one group, or all (NULL); or those whose
 * pause has ended by `now`. queue_paused_until() is the time when the first pause ends; INT64_MAX
 * if no group is paused.
 */
void queue_wake_paused(struct queue *queue, const char *folder);
void queue_wake_expired(struct queue *queue, int64_t now);
int64_t queue_paused_until(const struct queue *queue);

/* A person ends a turn; false: no agent is working on it. */
bool queue_stop_turn(struct queue *queue, int64_t turn);

/* A probe of a sandbox has ended: the groups that waited for it stand in line again. */
void queue_wake_probing(struct queue *queue);

struct queue_numbers {
	unsigned agents;  /* alive */
	unsigned working; /* of these, in a turn */
	unsigned waiting; /* groups in line */
};

struct queue_numbers queue_count(const struct queue *queue);

/*
 * The worker whose turn has kept others waiting for a place for NANOCLAW_WAIT_SECONDS; of several
 * the one whose turn is the longest; NULL: none. The turn goes on.
 */
const struct worker *queue_holder(const struct queue *queue);

/*
 * Once a second: end the agents whose sandboxes exceed their limits (sandbox/watch.h), and tell
 * main of queue_holder().
 */
void queue_watch(struct queue *queue);

/* --- for the other files of this room ------------------------------------------- */

/* Put a worker at the end of the line. */
void queue_line_up(struct queue *queue, struct worker *worker);

/* Free a worker that has neither an agent nor work. */
void queue_drop(struct queue *queue, struct worker *worker);

#endif
