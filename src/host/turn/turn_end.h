/*
 * How a turn ends: with an answer, with an error in its place (L5), or not yet.
 */
#ifndef HOST_TURN_TURN_END_H
#define HOST_TURN_TURN_END_H

#include "host/turn/worker.h"

/* How much is noted of why something failed. */
#define TURN_MAX_DETAIL 500

/* Longer answers are cut, in bytes. */
#define TURN_MAX_ANSWER ((size_t)256 * 1024)

/* The reason to show to the person; NULL: none yet. */
void turn_tell_person(struct worker *worker, const char *why);

/* The same with the agent's own words, or NULL; a budget that is used up explains more. */
void turn_tell_agents_words(struct worker *worker, const char *text);

/* L5: retry after a while, or give an error as the answer. */
void turn_failed(struct worker *worker, const char *why, bool again);

/* The session is gone: retry immediately without it. */
void turn_start_afresh(struct worker *worker, const char *why);

/*
 * Store the answer, with a question about its skill if it is time to ask. `session_id` is that
 * of the agent, or NULL. turn_done() follows.
 */
int turn_store_answer(
	struct worker *worker, const char *text, const char *session_id, struct error *err);

/* It is answered, and stored. */
void turn_done(struct worker *worker);

#endif
