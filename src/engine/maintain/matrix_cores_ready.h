/*
 * The cores of a run of the test matrix, as folders that entries are copied from.
 *
 *	matrix_ready_bring(&ready, core, err)	copy it, and know its hash
 *	matrix_ready_prepare(&ready, core, err)	initialize it, and set it up
 */
#ifndef ENGINE_MAINTAIN_MATRIX_CORES_READY_H
#define ENGINE_MAINTAIN_MATRIX_CORES_READY_H

#include "engine/maintain/matrix_run.h"
#include "util/hash.h"
#include "util/scratch.h"

struct matrix_ready_core {
	bool brought;
	bool prepared;
	struct hash hash;
	int fd;
};

struct matrix_ready {
	const struct project *project;
	const struct matrix *matrix;
	const struct scratch *scratch;
	unsigned seconds; /* for setting one up */
	struct matrix_ready_core *list;
};

void matrix_ready_init(struct matrix_ready *ready, const struct project *project,
	const struct matrix *matrix, const struct scratch *scratch, unsigned seconds);
void matrix_ready_release(struct matrix_ready *ready);

/* Both do nothing if that was done. */
int matrix_ready_bring(struct matrix_ready *ready, size_t core, struct error *err);
int matrix_ready_prepare(struct matrix_ready *ready, size_t core, struct error *err);

#endif
