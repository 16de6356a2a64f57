/*
 * The expected records, as far as the test can predict them: drift, and patches.
 */
#ifndef LEDGER_RECORD_H
#define LEDGER_RECORD_H

#include "world.h"

/* The tracked paths that are not as recorded in this tree; unknown ones are left out. */
void record_drift(const struct world *w, const struct tree *tree, struct tokens *ret_paths);

/* From now on a path is supposed to be as it is in this tree. */
void record_path(struct world *w, const char *path, const struct tree *tree);
void record_unknown(struct world *w, const char *path);

/* A file was renamed; its record moves along. */
void record_rename(struct world *w, const char *from, const char *to);

/*
 * A new patch in .nanoclaw/custom must make, by `git apply`, what was recorded into
 * `meant`, on the paths that it changes; they are recorded then. `left` are files that
 * are no part of it. `updated` are paths that skills below it change in the same command:
 * there the patch has been rewritten for the new version. Both may be NULL. To be called
 * before anything else is recorded.
 */
void record_patches(struct world *w, const struct tree *before, const struct tree *meant,
	const struct tree *left, const struct tokens *updated);

/* `status` must name the same drift. */
void record_check_status(struct world *w);

#endif
