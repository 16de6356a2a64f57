/*
 * The skills of one command: which of them to apply, in which order, and whether that is
 * possible.
 */
#ifndef ENGINE_OPERATION_BATCH_H
#define ENGINE_OPERATION_BATCH_H

#include "engine/package/package.h"
#include "engine/session/session.h"

struct batch {
	struct package *packages; /* in the order in which they are applied */
	size_t count;
	size_t cap;
};

#define BATCH_INIT ((struct batch){0})

/* Load packages as a person names them. A package that is named twice is loaded once. */
int batch_load(const struct project *project, const char *const *typed, size_t count,
	struct batch *ret_batch, struct error *err);

/*
 * Drop skills that are applied in the same version, sort the rest by dependencies, and check
 * them: dependencies are applied or in the batch, no declared conflict in either direction
 * with an applied skill or one of the batch, and the versions of core and system are new
 * enough.
 */
int batch_check(struct session *s, struct batch *batch, struct error *err);

/*
 * Can their files be put where they belong, and can their file operations run? Call this
 * after unrecorded_decide(), because unrecorded changes may be renames.
 */
int batch_check_files(struct session *s, const struct batch *batch, struct error *err);

bool batch_has(const struct batch *batch, const char *skill);

/* Takes ownership of the package, and leaves an empty one. */
void batch_add(struct batch *batch, struct package *package);

/* For a pause: folders and versions of the packages from number `next` on. */
void batch_list_rest(const struct session *s, const struct batch *batch, size_t next,
	struct string_array *ret_folders, struct string_array *ret_versions);

/* In the session's result: the operation got as far as this skill. */
void batch_mark_reached(struct session *s, const char *skill);

void batch_release(struct batch *batch);

#endif
