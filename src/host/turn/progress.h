/*
 * What an agent does in a turn before it answers, noted for `nanoclaw trace`: the tools that it
 * uses, and what it says before it uses one. Its last text is the answer, not a step. Tools are
 * noted in the audit log, too, at a limited rate; except for those of the host, which are there
 * already.
 *
 *	progress_begin(&progress)		with each turn
 *	progress_note(&progress, …, event)	with each event
 *	progress_release(&progress)
 */
#ifndef HOST_TURN_PROGRESS_H
#define HOST_TURN_PROGRESS_H

#include "agent/stream.h"
#include "ledger/turns.h"
#include "time/rate_limit.h"

struct auditing;

struct progress {
	unsigned count;
	char *said;             /* not yet a step */
	struct rate_limit rate; /* of entries in the audit log */
	unsigned left_out;      /* since the last entry */
};

void progress_begin(struct progress *progress);
void progress_note(struct progress *progress, struct store *store, struct auditing *auditing,
	const struct turn *turn, const struct stream_event *event);
void progress_release(struct progress *progress);

#endif
