/*
 * What an agent does in a turn before it answers, noted for `nanoclaw trace`: the tools that it
 * uses, and what it says before it uses one. What it says last is the answer, and no step.
 *
 *	progress_begin(&progress)		with each turn
 *	progress_note(&progress, …, event)	with each event
 *	progress_release(&progress)
 */
#ifndef HOST_TURN_PROGRESS_H
#define HOST_TURN_PROGRESS_H

#include "agent/stream.h"
#include "ledger/turns.h"

struct progress {
	unsigned count;
	char *said; /* not yet a step */
};

void progress_begin(struct progress *progress);
void progress_note(struct progress *progress, struct store *store, const struct turn *turn,
	const struct stream_event *event);
void progress_release(struct progress *progress);

#endif
