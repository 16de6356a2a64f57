/*
 * Stages all layers (layer.h) again, in order, on top of the core: for the command `replay`, and
 * to prove that a rebase has recorded everything.
 *
 * A skill is taken from its pack (pack.h), as it was applied, and not from the package on the
 * disk; a custom patch from its file. Earlier decisions apply: a file that was left out stays
 * out, and a deleted one stays deleted. So no questions are asked.
 *
 *	CLEANUP(restage_release) struct restage restage = RESTAGE_INIT;
 *
 *	if (restage_run(s, &restage, err) < 0)
 *		return -1;
 *
 * Afterwards the session's state is the resulting one, and `result` has the files, on top of
 * the session's transaction, in which nothing was staged.
 */
#ifndef ENGINE_REPLAY_RESTAGE_H
#define ENGINE_REPLAY_RESTAGE_H

#include "base/string_array.h"
#include "engine/session/session.h"

/* A conflict without a known resolution. */
struct restage_conflict {
	char *path;
	char *layer; /* the skill or patch that was merged */
};

struct restage {
	/*
	 * All files that any layer touched, under each name that they ever had, sorted. The
	 * caller may add paths of layers of v0.1, which do not record them.
	 */
	struct string_array paths;
	struct state old; /* as it was before */
	struct restage_conflict *conflicts;
	size_t conflict_count, conflict_cap;
	struct transaction *result;
};

#define RESTAGE_INIT ((struct restage){.old = STATE_INIT})

/* `*s` has the present state. */
int restage_run(struct session *s, struct restage *restage, struct error *err);

void restage_release(struct restage *restage);

#endif
