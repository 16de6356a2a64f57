/*
 * Renames that nobody declared, found by content (engine/patch/rename.h):
 *
 *	core_renames_find(&before, &after, reader, err)
 *
 * gives files of `after` without a `from` one of the names in `before` that no file comes
 * from. Empty and tiny files, and symbolic links, keep only their last name when they move.
 */
#ifndef ENGINE_NEWCORE_CORE_RENAMES_H
#define ENGINE_NEWCORE_CORE_RENAMES_H

#include "engine/newcore/core_reader.h"

/* Smaller files are tiny. */
#define CORE_RENAMES_TINY 32

/* Both are sorted; `from` in `after` are paths of `before`, or empty. */
int core_renames_find(const struct core_tree *before, struct core_tree *after,
	struct core_reader *reader, struct error *err);

#endif
