/*
 * Compares the tree with the records: all changes by a person, as a patch.
 *
 *	CLEANUP(comparison_release) struct comparison c = COMPARISON_INIT;
 *
 *	if (compare_open(&c, &project, err) < 0 ||
 *		compare_find(&c, &selection, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < c.patch.count; i++)
 *		... c.patch.changes[i] ...
 *
 * These are the files that drift.h finds. A file that was moved is a rename; other untracked
 * files count only if they are named. Nothing is written, and no lock is needed.
 *
 * While an operation is paused, the tree is compared with the records that it will have written.
 * A file in conflict is compared with its record from before the operation, so the changes of
 * both sides, the markers and later edits show.
 *
 * A comparison must stay where it is in memory until it is released.
 */
#ifndef ENGINE_LOOK_COMPARE_H
#define ENGINE_LOOK_COMPARE_H

#include "engine/commit/pending.h"
#include "engine/custom/custom.h"
#include "engine/look/selection.h"

struct comparison {
	struct session session; /* its state: the one that counts */
	struct recorded recorded;
	struct patch patch;        /* sorted by path; of one path the deletion first */
	struct drift_list unknown; /* these differ, but their recorded contents are not kept */
	/* A paused operation: */
	bool paused;
	struct pending pending;
	struct state before;
	struct recorded recorded_before;
	/* The session points to these: */
	struct operation_options options;
	struct operation_result result;
};

#define COMPARISON_INIT ((struct comparison){.session = {.base = -1}, .patch = PATCH_INIT})

/* ERROR_INVALID if nothing is recorded here. */
int compare_open(struct comparison *c, const struct project *project, struct error *err);

/* ERROR_INVALID if a named path is neither in the records nor in the tree. */
int compare_find(struct comparison *c, const struct selection *selection, struct error *err);

bool compare_is_conflict(const struct comparison *c, struct view path);

void comparison_release(struct comparison *c);

#endif
