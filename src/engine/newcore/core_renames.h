/*
 * Renames that nobody declared, found by content: a file that is gone and a new one that is
 * the same, or at least half the same.
 *
 *	core_renames_find(&before, &after, reader, err)
 *
 * gives files of `after` without a `from` one of the names in `before` that no file comes from.
 * The rules, in their order:
 *	- the same content, and the same last part of the name;
 *	- the same content, the names most alike first;
 *	- regular files of which at least half is the same (patch_similarity.h): the most
 *similar ones first, where names that are alike count for a little. Ties go by the path. Empty
 *and tiny files have too little in them to be told apart: only the first rule is for them. So
 *it is for symbolic links.
 *
 * The work is bounded: similar pairs are looked for by the lines that they share, lines that
 * many files have are left aside, and so are files that are very large.
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
