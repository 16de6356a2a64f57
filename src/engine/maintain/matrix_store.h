/*
 * .nanoclaw/matrix: what is kept of runs of the test matrix.
 *
 *	1.0.0/polite+shout.json	how the entry ended the last time, and its inputs then
 *	1.0.0/polite+shout.log	what its commands have written
 *	scratch			where the copies of a run are that has not ended
 *
 * One run at a time: the folder is locked while it is open. Nothing is synced; a result that
 * a power cut has taken away means that the entry is run again.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_STORE_H
#define ENGINE_MAINTAIN_MATRIX_STORE_H

#include "engine/maintain/matrix_run.h"
#include "util/hash.h"
#include "util/scratch.h"

struct matrix_store {
	const struct project *project;
	int fd;
};

#define MATRIX_STORE_INIT ((struct matrix_store){.fd = -1})

/* ERROR_BUSY if another run has it. */
int matrix_store_open(
	const struct project *project, struct matrix_store *ret_store, struct error *err);
void matrix_store_release(struct matrix_store *store);

/* An empty log, for writing. `*ret_shown` is its path, seen from the project. */
int matrix_store_open_log(const struct matrix_store *store, const struct matrix_entry *entry,
	int *ret_fd, char **ret_shown, struct error *err);

/* Has the entry passed with these inputs? What cannot be read says no. */
bool matrix_store_has_passed(const struct matrix_store *store, const struct matrix_entry *entry,
	const struct hash *inputs);

int matrix_store_put(const struct matrix_store *store, const struct matrix_result *result,
	const struct hash *inputs, struct error *err);

/*
 * A folder for the copies. What a run left that was killed is removed first. The folder is
 * noted until it is removed.
 */
int matrix_store_make_scratch(
	const struct matrix_store *store, struct scratch *ret_scratch, struct error *err);
int matrix_store_remove_scratch(
	const struct matrix_store *store, struct scratch *scratch, struct error *err);

#endif
