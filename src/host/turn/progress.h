/*
 * The steps of an agent before its answer, recorded for `nanoclaw trace`: the tools that it
 * uses, and its texts before them. Its last text is the answer, not a step. Tools are also
 * recorded in the audit log, at a limited rate, except the tools of the host, which are already
 * there.
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
