/*
 * Several skills in one command: which of them are to be applied, and in which
 * order, and whether that is possible at all.
 */
#ifndef ENGINE_OPERATION_BATCH_H
#define ENGINE_OPERATION_BATCH_H

#include "engine/package/package.h"
#include "engine/session/session.h"

struct batch {
	struct package *packages; /* in the order in which they are to be applied */
	size_t count;
	size_t cap;
};

#define BATCH_INIT ((struct batch){0})

/* Load the packages by what was typed. The same one twice is taken once. */
int batch_load(const struct project *project, const char *const *typed, size_t count,
	struct batch *ret_batch, struct error *err);

/*
 * Leave out what is applied already in the same version, put the rest into the
 * order of their dependencies, and check: dependencies are applied or in the
 * batch; no conflicts, in either direction, with what is applied or in the batch;
 * the versions of core and system that they need.
 */
int batch_check(struct session *s, struct batch *batch, struct error *err);

/*
 * Can there be files where they want them, and can their file operations be done? To be
 * asked when it is known what becomes of unrecorded changes, which may be renames.
 */
int batch_check_files(struct session *s, const struct batch *batch, struct error *err);

void batch_release(struct batch *batch);

#endif
