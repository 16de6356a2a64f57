/*
 * What two skills share according to their manifests, and could therefore conflict over.
 *
 *	file	both add or modify it; or a file of one skill is a folder of the other; or one
 *		changes as text a file that the other declares entries for (package.json)
 *	file-op	one skill renames or deletes it, or a folder of it, and the other touches it,
 *		by its old name or by its new one
 *	npm	both declare this package
 *	env	both declare this variable
 *	service	both declare this service of the compose file
 *	port	services of both bind this port of the host
 *
 * System packages are only added: two skills that need the same one do not overlap.
 *
 * Paths are compared by their names after the renames of the core (`path_remap`, remap.h).
 */
#ifndef ENGINE_MAINTAIN_MATRIX_OVERLAP_H
#define ENGINE_MAINTAIN_MATRIX_OVERLAP_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/package/manifest.h"
#include "engine/state/state.h"

enum matrix_target {
	MATRIX_FILE,
	MATRIX_FILE_OP,
	MATRIX_NPM,
	MATRIX_ENV,
	MATRIX_SERVICE,
	MATRIX_PORT,
};

/* "file", "file-op" and so on. */
extern const char *const matrix_target_names[];

struct matrix_overlap {
	enum matrix_target target;
	char *name; /* of the file, package, variable, service; "6380/tcp" */
};

struct matrix_overlaps {
	struct matrix_overlap *list; /* sorted, each once */
	size_t count;
	size_t cap;
};

#define MATRIX_OVERLAPS_INIT ((struct matrix_overlaps){0})

/* Add the overlaps that are found. `state`, which may be empty, has the path_remap. */
void matrix_overlap(const struct manifest *a, const struct manifest *b,
	const struct state *state, struct matrix_overlaps *overlaps);

/* Add the overlaps that are in both lists. */
void matrix_overlaps_common(const struct matrix_overlaps *a, const struct matrix_overlaps *b,
	struct matrix_overlaps *ret_common);

void matrix_overlaps_copy(const struct matrix_overlaps *from, struct matrix_overlaps *to);

/* "lib/answers.sh, port 6380/tcp": at most `max` of them, and the number of the others. */
struct buf;
void matrix_overlaps_describe(
	const struct matrix_overlaps *overlaps, size_t max, struct buf *out);

void matrix_overlaps_release(struct matrix_overlaps *overlaps);

#endif
