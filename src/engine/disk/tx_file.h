/*
 * Files as values (transaction.h): compare, copy and stage them.
 */
#ifndef ENGINE_DISK_TX_FILE_H
#define ENGINE_DISK_TX_FILE_H

#include "engine/disk/transaction.h"

/* The same kind, content and execute bit: all that is ever recorded of a file (layer_file.h).
 */
bool tx_file_equal(const struct tx_file *a, const struct tx_file *b);

/* The same; what is neither a file nor a link counts as nothing. */
bool tx_file_same(const struct tx_file *a, const struct tx_file *b);

void tx_file_copy(const struct tx_file *from, struct tx_file *to);

/* Stage a file, a link, or that there is none. */
int tx_file_stage(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, struct error *err);

/*
 * The same in the place of a file that is there: the permissions that the person gave that one
 * stay, but for the execute bits.
 */
int tx_file_stage_over(struct transaction *tx, const struct relpath *path,
	const struct tx_file *file, const struct tx_file *there, struct error *err);

#endif
