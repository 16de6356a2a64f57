/*
 * Skills applied in memory, to see what would come of it. Nothing is written, nobody is asked,
 * and no command is run.
 *
 *	CLEANUP(rehearsal_release) struct rehearsal r = REHEARSAL_INIT;
 *
 *	if (rehearsal_open(&r, &project, err) < 0)
 *		return -1;
 *	… stage files in r.session.tx: how the tree is to be before it …
 *	if (rehearsal_apply(&r, packages, count, err) < 0 || r.told.conflict_count)
 *		…
 *	… read files in r.session.tx: how it is then …
 *
 * It begins with what is recorded; rehearsal_begin_clean() begins with the core alone instead.
 * A rehearsal must stay where it is in memory until it is released.
 */
#ifndef ENGINE_OPERATION_REHEARSAL_H
#define ENGINE_OPERATION_REHEARSAL_H

#include "engine/package/package.h"
#include "engine/session/recorded.h"
#include "engine/session/session.h"

struct rehearsal {
	struct session session;
	struct apply_options options;
	struct apply_result told;
};

#define REHEARSAL_INIT ((struct rehearsal){.session = {.base = -1}})

int rehearsal_open(struct rehearsal *r, const struct project *project, struct error *err);

/* Without any layer: all files that these have are as in the base. */
int rehearsal_begin_clean(
	struct rehearsal *r, const struct recorded *recorded, struct error *err);

/* As the base has it. */
int rehearsal_stage_base(struct rehearsal *r, const struct relpath *path, struct error *err);

/*
 * One after the other. What would be a question is an error (ERROR_INVALID), with the
 * question; a conflict is in `told`, and ends it.
 */
int rehearsal_apply(struct rehearsal *r, const struct package *const *packages, size_t count,
	struct error *err);

/* Say what somebody would have to settle, as one sentence; NULL: nothing. */
char *rehearsal_trouble(const struct rehearsal *r);

void rehearsal_release(struct rehearsal *r);

#endif
