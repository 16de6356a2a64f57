/*
 * The parts of worker.h: the agent and its turns (worker.c), and what comes after a turn
 * (worker_end.c).
 */
#ifndef HOST_WORKER_PARTS_H
#define HOST_WORKER_PARTS_H

#include "host/worker.h"

/* How much is noted of why something failed. */
#define WORKER_MAX_DETAIL 500

/* Does the chat show that somebody is typing? */
void worker_typing(struct worker *worker, bool on);

/* --- what it does next -------------------------------------------------------- */

/* There is nothing to do: its agent ends after a while, or at once. */
void worker_become_idle(struct worker *worker);

/* To the end of the line; what there is to do is seen when it gets its turn. */
void worker_look_for_more(struct worker *worker);

void worker_wait_until(struct worker *worker, int64_t time);

/* The store did not take it: the turn is still open there, and is done again. */
void worker_store_failed(struct worker *worker, const struct error *err);

/* --- how a turn ends ---------------------------------------------------------- */

/* What the person may know of why it failed; NULL: nothing yet. */
void worker_tell_person(struct worker *worker, const char *why);

/* L5: again after a while, or an error in the place of an answer. */
void worker_turn_failed(struct worker *worker, const char *why, bool again);

/* The session is gone: at once again without it. */
void worker_start_afresh(struct worker *worker, const char *why);

/* The answer, with a question about its skill if it is time to ask; in a transaction. */
int worker_answer_with(struct worker *worker, const char *text, const char *session_id,
	int64_t now, struct error *err);

/* The same as a transaction of its own, for what an agent said. */
int worker_store_answer(
	struct worker *worker, const char *text, const char *session_id, struct error *err);

/* It is answered, and stored. */
void worker_turn_done(struct worker *worker);

#endif
