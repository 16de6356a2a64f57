/*
 * How a turn ends: with an answer, with an error in its place (L5), or not yet.
 */
#ifndef HOST_TURN_TURN_END_H
#define HOST_TURN_TURN_END_H

#include "host/turn/worker_state.h"

/* How much is noted of why something failed. */
#define TURN_MAX_DETAIL 500

/* Longer answers are cut, in bytes. */
#define TURN_MAX_ANSWER ((size_t)256 * 1024)

/* What the person may know of why it failed; NULL: nothing yet. */
void turn_tell_person(struct worker *worker, const char *why);

/* L5: again after a while, or an error in the place of an answer. */
void turn_failed(struct worker *worker, const char *why, bool again);

/* The session is gone: at once again without it. */
void turn_start_afresh(struct worker *worker, const char *why);

/* The answer, with a question about its skill if it is time to ask; in a transaction. */
int turn_answer_with(struct worker *worker, const char *text, const char *session_id,
	int64_t now, struct error *err);

/* The same as a transaction of its own, for what an agent said. */
int turn_store_answer(
	struct worker *worker, const char *text, const char *session_id, struct error *err);

/* It is answered, and stored. */
void turn_done(struct worker *worker);

#endif
