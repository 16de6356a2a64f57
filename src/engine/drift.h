/*
 * Drift: files of the base or of a skill that are not as recorded.
 */
#ifndef ENGINE_DRIFT_H
#define ENGINE_DRIFT_H

#include <stddef.h>

#include "engine/project.h"
#include "engine/state.h"

struct drift_list {
	char **paths; /* sorted */
	size_t count;
	size_t cap;
};

#define DRIFT_LIST_INIT ((struct drift_list){0})

/*
 * A file is as recorded if its hash is the one that the last skill to touch it
 * recorded, or, if none did, if it is like the base. A file of the base with the
 * same size and modification time as its copy there is not read.
 */
int drift_find(const struct project *project, const struct state *state,
	struct drift_list *ret_list, struct error *err);

void drift_list_release(struct drift_list *list);

#endif
