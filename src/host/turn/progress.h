/*
 * The steps of an agent before its answer, recorded for `nanoclaw trace`: the tools that it
 * uses, and its texts before them. Its last text is the answer, not a step. Tools are also
 * recorded in the audit log, at a limited rate, except the tools of the host, which are already
 * there.
 *
 * The chat of a turn that takes longer than NANOCLAW_PROGRESS_SECONDS sees the newest of these texts,
 * if people follow it (channel_is_followed()): in one message that is edited, or where that is not
 * possible as a line from time to time. Turns of scheduled tasks show nothing.
 *
 *	progress_begin(&progress)	with each turn
 *	progress_note(worker, event)	with each event
 *	progress_release(&progress)
 */
#ifndef HOST_TURN_PROGRESS_H
#define HOST_TURN_PROGRESS_H

#include "agent/stream.h"
#include "time/rate_limit.h"

struct worker;

struct progress {
	unsigned count;
	char *said;             /* not yet a step */
	struct rate_limit rate; /* of entries in the audit log */
	unsigned left_out;      /* since the last entry */
};

void progress_begin(struct progress *progress);
void progress_note(struct worker *worker, const struct stream_event *event);
void progress_release(struct progress *progress);

#endif
