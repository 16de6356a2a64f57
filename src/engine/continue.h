/*
 * How a paused operation continues, whichever it is: what was resolved is taken over, and the
 * operation does what was still to do.
 */
#ifndef ENGINE_CONTINUE_H
#define ENGINE_CONTINUE_H

#include "engine/session/session.h"

/*
 * If something is not resolved yet, the result says `paused` with these conflicts, and nothing
 * was changed. The project must be locked, and recovered.
 */
int continue_paused(const struct project *project, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err);

#endif
