/*
 * .nanoclaw/matrix: the stored results of runs of the test matrix.
 *
 *	1.0.0/polite+shout.json	how the entry ended the last time, and its inputs then
 *	1.0.0/polite+shout.log	the output of its commands
 *	scratch			where the copies of an unfinished run are
 *
 * The folder is locked while it is open: one run at a time. Nothing is synced; an entry whose
 * result is lost in a power cut runs again.
 *
 * The inputs of an entry are one hash over everything that can change its result: this program,
 * the core, its setup command, every file of the skills' packages, and the shipped resolutions
 * for these skills. Nothing else of the project is in the copy that an entry runs in.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_STORE_H
#define ENGINE_MAINTAIN_MATRIX_STORE_H

#include "base/hash.h"
#include "engine/maintain/matrix_result.h"
#include "fs/scratch.h"

struct matrix_store {
	const struct project *project;
	int fd;
};

#define MATRIX_STORE_INIT ((struct matrix_store){.fd = -1})

/* ERROR_BUSY if another run has it. */
int matrix_store_open(
	const struct project *project, struct matrix_store *ret_store, struct error *err);
void matrix_store_release(struct matrix_store *store);

/* An empty log, for writing. `*ret_shown` is its path in the project, to be freed. */
int matrix_store_open_log(const struct matrix_store *store, const struct matrix_entry *entry,
	int *ret_fd, char **ret_shown, struct error *err);

/* Has the entry passed with these inputs? A result that cannot be read means no. */
bool matrix_store_has_passed(const struct matrix_store *store, const struct matrix_entry *entry,
	const struct hash *inputs);

int matrix_store_put(const struct matrix_store *store, const struct matrix_result *result,
	const struct hash *inputs, struct error *err);

/*
 * A folder for the copies, noted in the store until it is removed. The folder of a run that
 * was killed is removed first.
 */
int matrix_store_make_scratch(
	const struct matrix_store *store, struct scratch *ret_scratch, struct error *err);
int matrix_store_remove_scratch(
	const struct matrix_store *store, struct scratch *scratch, struct error *err);

/* The running program: another build can behave differently even with the same version. */
int matrix_inputs_program(struct hash *ret_hash, struct error *err);

int matrix_inputs(const struct project *project, const struct matrix *matrix,
	const struct matrix_entry *entry, const struct matrix_run_options *options,
	const struct hash *program, const struct hash *core, struct hash *ret_hash,
	struct error *err);

/* The open folder `.claude/resolutions`; -1 in `*ret_fd` if it does not exist. */
int matrix_shipped_open(int root, int *ret_fd, struct error *err);

/* The names in that folder, which may be -1, of resolutions for skills of the entry. */
int matrix_shipped_names(const struct matrix *matrix, const struct matrix_entry *entry,
	int shipped, struct string_array *ret_names, struct error *err);

#endif
