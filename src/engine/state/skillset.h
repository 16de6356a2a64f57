/*
 * The skills of a project: the packages that it has, and the applied ones.
 *
 *	CLEANUP(skillset_release) struct skillset skills = SKILLSET_INIT;
 *
 *	if (skillset_open(project, &skills, err) < 0)
 *		return -1;
 */
#ifndef ENGINE_STATE_SKILLSET_H
#define ENGINE_STATE_SKILLSET_H

#include "engine/disk/project.h"
#include "engine/package/package.h"
#include "engine/state/state.h"

struct skillset {
	struct package_list packages;
	struct state state; /* empty if the project is not initialized */
	bool initialized;
};

#define SKILLSET_INIT ((struct skillset){.initialized = false})

int skillset_open(
	const struct project *project, struct skillset *ret_skills, struct error *err);

/* A file that more than one skill touches. The texts are those of the skillset. */
struct overlap {
	const char *path;
	const char **skills; /* sorted */
	size_t count;
};

struct overlaps {
	struct overlap *list; /* sorted by path */
	size_t count;
	size_t cap;
};

void skillset_overlaps(const struct skillset *skills, struct overlaps *ret_overlaps);
void overlaps_release(struct overlaps *overlaps);

void skillset_release(struct skillset *skills);

#endif
