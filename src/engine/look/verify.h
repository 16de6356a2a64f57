/*
 * Is everything as recorded? Every file of the tree is read, and every file that the engine keeps
 * in .nanoclaw.
 *
 *	CLEANUP(verify_result_release) struct verify_result result = VERIFY_RESULT_INIT;
 *
 *	if (verify(&project, &state, &result, err) < 0)
 *		return -1;
 *
 * A person or another program made any difference in the tree: it is drift (drift.h). Only the
 * engine writes in .nanoclaw, so a difference there is damage. Each difference names the layer
 * that recorded the file.
 *
 * What is checked in .nanoclaw:
 *	base/		every file against base.sha256 (base_sums.h); without that list,
 *			files whose hash a skill recorded when it was applied to this core
 *	applied/	the hash in each pack, and the contents against `hashes.*.skill`
 *	custom/		each patch against its `patch_hash`, and whether the state has
 *			what it takes to apply it
 *	objects/	the contents from which each recorded file, and each file before
 *			and after a patch, can be made again
 */
#ifndef ENGINE_LOOK_VERIFY_H
#define ENGINE_LOOK_VERIFY_H

#include <stdbool.h>

#include "base/string_array.h"
#include "engine/disk/project.h"
#include "engine/state/state.h"

enum verify_layer {
	VERIFY_CORE,
	VERIFY_SKILL,
	VERIFY_PATCH,
};

struct verify_difference {
	char *path;
	const char *change; /* as in drift.h; of a damage: "damaged", "missing" or "lost" */
	enum verify_layer layer;
	char *name; /* of the skill or patch; NULL of the core */
	bool damage;
	char *expected; /* a hash in hex, or the mode; NULL: nothing should be there */
	char *found;    /* the same, or the kind of thing; NULL: nothing is there */
	char *note;     /* what this means, or what to do; or NULL */
};

struct verify_result {
	struct verify_difference *list; /* the tree by path, then damages */
	size_t count;
	size_t cap;
	size_t checked; /* files */
	size_t damages; /* among the differences */
	/* Contradictions in structured files, as sentences for people. */
	struct string_array problems;
	/* Packages in the project that have changed since they were applied; not a fault. */
	struct string_array changed_packages;
};

#define VERIFY_RESULT_INIT ((struct verify_result){0})

extern const char *const verify_layer_names[];

int verify(const struct project *project, const struct state *state,
	struct verify_result *ret_result, struct error *err);

void verify_difference_release(struct verify_difference *difference);
void verify_result_release(struct verify_result *result);

#endif
