/*
 * Stage all layers (layer.h) again, in their order, from the core on: for the command `replay`,
 * and to prove that a rebase has recorded everything.
 *
 * A skill is taken from its pack (pack.h), as it was applied, and not from the package on the
 * disk; a custom patch from its file. What was decided then holds: a file that was left out
 * stays left out, one that was deleted is deleted. So nobody is asked.
 *
 *	CLEANUP(restage_release) struct restage restage = RESTAGE_INIT;
 *
 *	if (restage_run(s, &restage, err) < 0)
 *		return -1;
 *
 * Afterwards the session's state is the one that came out, and `result` has the files, on top
 * of the session's transaction, in which nothing was staged.
 */
#ifndef ENGINE_REPLAY_RESTAGE_H
#define ENGINE_REPLAY_RESTAGE_H

#include "base/string_array.h"
#include "engine/session/session.h"

/* A merge that is not known from before. */
struct restage_conflict {
	char *path;
	char *layer; /* the skill or patch that was merged */
};

struct restage {
	/*
	 * What any layer touched, under each name that it ever had, sorted. The caller may add
	 * paths of layers of v0.1, which do not say what they touched.
	 */
	struct string_array paths;
	struct state old; /* as it was before */
	struct restage_conflict *conflicts;
	size_t conflict_count, conflict_cap;
	struct transaction *result;
};

#define RESTAGE_INIT ((struct restage){.old = STATE_INIT})

/* `*s` has the state as it is. */
int restage_run(struct session *s, struct restage *restage, struct error *err);

void restage_release(struct restage *restage);

#endif
