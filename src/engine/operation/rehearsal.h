/*
 * Apply skills in memory, to see the result. It writes nothing, asks nothing, and runs no
 * command.
 *
 *	CLEANUP(rehearsal_release) struct rehearsal r = REHEARSAL_INIT;
 *
 *	if (rehearsal_open(&r, &project, err) < 0)
 *		return -1;
 *	… stage files in r.session.tx: the tree before …
 *	if (rehearsal_apply(&r, packages, count, err) < 0 || r.told.conflict_count)
 *		…
 *	… read files in r.session.tx: the tree after …
 *
 * It begins with the recorded state; rehearsal_begin_clean() begins with the core alone.
 * A rehearsal must not move in memory until it is released.
 */
#ifndef ENGINE_OPERATION_REHEARSAL_H
#define ENGINE_OPERATION_REHEARSAL_H

#include "engine/package/package.h"
#include "engine/session/recorded.h"
#include "engine/session/session.h"

struct rehearsal {
	struct session session;
	struct operation_options options;
	struct operation_result told;
};

#define REHEARSAL_INIT ((struct rehearsal){.session = {.base = -1}})

int rehearsal_open(struct rehearsal *r, const struct project *project, struct error *err);

/* Begin without layers: all files that layers have are as in the base. */
int rehearsal_begin_clean(
	struct rehearsal *r, const struct recorded *recorded, struct error *err);

/*
 * Apply one package after the other. An operation that has to ask a question fails with
 * ERROR_INVALID and the question as the message; a conflict is added to `told` and ends the
 * rehearsal.
 */
int rehearsal_apply(struct rehearsal *r, const struct package *const *packages, size_t count,
	struct error *err);

/* The conflicts as one sentence, or NULL. */
char *rehearsal_trouble(const struct rehearsal *r);

void rehearsal_release(struct rehearsal *r);

#endif
