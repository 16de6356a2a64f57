/*
 * A copy of a core for an entry of the test matrix, with the packages of its skills, and what
 * is known about their conflicts.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_COPY_H
#define ENGINE_MAINTAIN_MATRIX_COPY_H

#include "engine/maintain/matrix.h"

struct matrix_copy_request {
	const struct project *project; /* whose packages these are */
	const struct matrix *matrix;
	const struct matrix_entry *entry;
	int core;        /* the open folder of the core, with its .nanoclaw */
	int resolutions; /* the open folder of resolutions that are shipped; or -1 */
	bool memory;     /* also what the project has learned from conflicts (rr_cache.h) */
};

/* Make the folder `name` in `in`. */
int matrix_copy(
	const struct matrix_copy_request *request, int in, const char *name, struct error *err);

/* Copy a folder, with all that is in it, to the path `to` below `root`. */
int matrix_copy_folder(int from, int root, const char *to, struct error *err);

#endif
