/*
 * The skills of a project: the packages that it has and those that are applied.
 *
 *	CLEANUP(skillset_release) struct skillset skills = SKILLSET_INIT;
 *
 *	if (skillset_open(&skills, err) < 0)
 *		return -1;
 */
#ifndef ENGINE_SKILLSET_H
#define ENGINE_SKILLSET_H

#include "engine/package.h"

struct applied_skill {
	char *name;
	char *version; /* or NULL: very old states have none */
	char **files;  /* all that it brought or changed, as far as the state says so */
	size_t file_count;
};

struct skillset {
	int root;
	struct package_list packages;
	struct applied_skill *applied; /* in the order in which they were applied */
	size_t applied_count;
	char *core_version; /* of the state, or NULL */
};

#define SKILLSET_INIT ((struct skillset){.root = -1})

/*
 * Of the project that the working directory is in: the nearest folder above it
 * that holds .nanoclaw/, or else the working directory itself.
 */
int skillset_open(struct skillset *ret_skills, struct error *err);

/* The applied skill or the package of that name, or NULL. */
const struct applied_skill *skillset_applied(const struct skillset *skills, const char *name);
const struct package *skillset_package(const struct skillset *skills, const char *name);

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
