/*
 * Three versions of a file made into one, without a person: text is merged as git does it,
 * anything else only where one side changed it.
 */
#ifndef ENGINE_CONFLICT_MERGE3_H
#define ENGINE_CONFLICT_MERGE3_H

#include <stdbool.h>

#include "engine/disk/transaction.h"

/* A regular file without NUL bytes: its lines can be merged. */
bool merge3_is_text(const struct tx_file *file);

/*
 * Both `ours` and `theirs` come from `base`. `*ret_clean` is false, and the file empty, if
 * they contradict each other.
 */
int merge3(const struct tx_file *base, const struct tx_file *ours, const struct tx_file *theirs,
	struct tx_file *ret_file, bool *ret_clean, struct error *err);

#endif
