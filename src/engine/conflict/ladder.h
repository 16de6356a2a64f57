/*
 * Resolves a conflict the way it was resolved before, without a person. It tries, in this
 * order:
 *
 *  1. the shared cache, if all three files are the same to the byte (resolutions.h);
 *  2. a recording of the conflict, ours or git's (rr_cache.h): the rest of the file may differ;
 *  3. single hunks that are known (rerere_hunk.h), though others in the file are not.
 *
 * Any other conflict goes to the resolver, and then to a person.
 */
#ifndef ENGINE_CONFLICT_LADDER_H
#define ENGINE_CONFLICT_LADDER_H

#include "engine/conflict/merge3.h"
#include "engine/session/session.h"

struct ladder_result {
	struct buf content; /* the resolved file, if anything is known */
	bool known;
	bool shipped; /* with the project: others have it, too */
	size_t left;  /* hunks that are still open, with markers in merge style */
};

#define LADDER_RESULT_INIT ((struct ladder_result){.content = BUF_INIT})

int ladder_climb(
	const struct file_merge *merge, struct ladder_result *ret_result, struct error *err);

void ladder_result_release(struct ladder_result *result);

#endif
