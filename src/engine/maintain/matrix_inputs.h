/*
 * What an entry of the test matrix is made of, as one hash: this very program, the core,
 * the command that sets it up, the skills in their order with every file of their
 * packages, and the shipped resolutions that are about them. Nothing else of the project gets
 * into the copy that an entry runs in (matrix_work.h), so nothing else can change its result.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_INPUTS_H
#define ENGINE_MAINTAIN_MATRIX_INPUTS_H

#include "engine/maintain/matrix.h"
#include "engine/maintain/matrix_run.h"
#include "engine/resolution/resolution_folder.h"
#include "engine/resolution/resolution_key.h"
#include "util/hash.h"

int matrix_inputs(const struct project *project, const struct matrix *matrix,
	const struct matrix_entry *entry, const struct matrix_run_options *options,
	const struct hash *program, const struct hash *core, struct hash *ret_hash,
	struct error *err);

/* The file that is running: another build may do otherwise, whatever its version. */
int matrix_inputs_program(struct hash *ret_hash, struct error *err);

/*
 * The names of the shipped resolutions that are about skills of the entry, in the folder
 * `store`; -1 as a folder: there is none.
 */
int matrix_inputs_resolutions(const struct matrix *matrix, const struct matrix_entry *entry,
	int store, struct resolution_names *ret_names, struct error *err);

/* The open folder `.claude/resolutions`, or -1 in `*ret_fd` if there is none. */
int matrix_inputs_open_shipped(int root, int *ret_fd, struct error *err);

#endif
