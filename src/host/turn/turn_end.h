/*
 * How a turn ends: with an answer, with an error as the answer (L5), or with another attempt.
 */
#ifndef HOST_TURN_TURN_END_H
#define HOST_TURN_TURN_END_H

#include "host/turn/worker.h"

/* The maximum length of a stored reason, in bytes. */
#define TURN_MAX_DETAIL 500

/* Longer answers are cut, in bytes. */
#define TURN_MAX_ANSWER ((size_t)256 * 1024)

/* Set the reason to show to the person if the turn is given up; NULL: none yet. */
void turn_set_reason(struct worker *worker, const char *why);

/* The same with the agent's own words, or NULL; but if the budget is used up, that is the reason. */
void turn_set_agents_reason(struct worker *worker, const char *text);

/* L5: retry after a delay, or give up, with an error as the answer. */
void turn_failed(struct worker *worker, const char *why, bool again);

/*
 * No machine took the agent: not a failure. The turn waits, longer each time, and main hears of it
 * after NANOCLAW_WAIT_SECONDS.
 */
void turn_without_place(struct worker *worker, const char *why);

/* The machine of its agent was lost: an interruption, and tried again at once. */
void turn_lost(struct worker *worker, const char *why);

/* The session is gone: retry immediately without it. */
void turn_start_afresh(struct worker *worker, const char *why);

/*
 * Store the answer, with a question about its skill if one is due. `session_id` is the agent's,
 * or NULL. Call turn_done() afterwards.
 */
int turn_store_answer(
	struct worker *worker, const char *text, const char *session_id, struct error *err);

/* The answer is stored: send it, and let the worker look for more. */
void turn_done(struct worker *worker);

#endif
