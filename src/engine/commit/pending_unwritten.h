/*
 * Structured files are written at the end of an operation. While it is paused they are as
 * they were before it, though what it will have recorded may know nothing of them any more; or
 * they lie there without what skills contribute (structured.h).
 */
#ifndef ENGINE_COMMIT_PENDING_UNWRITTEN_H
#define ENGINE_COMMIT_PENDING_UNWRITTEN_H

#include "engine/commit/pending.h"

/*
 * Paths that still match `before`, the state when the operation began, or that are as the
 * pause left them.
 */
int pending_unwritten(const struct project *project, const struct state *before,
	const struct pending *pending, struct string_array *ret_paths, struct error *err);

#endif
