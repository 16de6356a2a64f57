/*
 * Continues any paused operation: takes over the resolved files and performs the remaining
 * steps.
 */
#ifndef ENGINE_CONTINUE_H
#define ENGINE_CONTINUE_H

#include "engine/session/session.h"

/*
 * If something is still unresolved, the result says `paused` and lists these conflicts, and
 * nothing has changed. The project must be locked and recovered.
 */
int continue_paused(const struct project *project, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err);

#endif
