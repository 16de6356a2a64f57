/*
 * From one core to the next: which file comes from which, and where old names lead.
 *
 *	CLEANUP(core_lineage_release) struct core_lineage lineage = CORE_LINEAGE_INIT;
 *
 *	core_lineage_begin(&lineage, &base);		sorted, with hashes
 *	… for each step: fill `after` …
 *	core_lineage_step(&lineage, &after, &map, "path_remap.yaml", reader, err)
 *
 * `now` is the newest core. In it, `from` of a file is the name in the base at which its line
 * began, however many steps ago, and `found` says whether any of the steps was found by
 * content.
 */
#ifndef ENGINE_NEWCORE_CORE_LINEAGE_H
#define ENGINE_NEWCORE_CORE_LINEAGE_H

#include "engine/newcore/core_ops.h"
#include "engine/newcore/core_reader.h"

/* Old names and new ones; sorted by the old one. */
struct core_moves {
	struct core_rename *list;
	size_t count;
	size_t cap;
};

struct core_lineage {
	struct core_tree now;
	struct core_moves moves; /* of all steps: old names that a package may know */
};

#define CORE_LINEAGE_INIT ((struct core_lineage){0})

/* Takes over the tree. */
void core_lineage_begin(struct core_lineage *lineage, struct core_tree *base);

/*
 * Take over `after`, which is sorted, as the newest core. `from` of its files is a name in
 * `now`, or empty where that is not declared: then `map`, and after that the content, may say
 * it. A path in `map` must lead to a file of `after` or of `others`, and must not be one
 * itself: else ERROR_INVALID with its place in `name`.
 */
int core_lineage_step(struct core_lineage *lineage, struct core_tree *after,
	const struct core_tree *others, const struct core_map *map, const char *name,
	struct core_reader *reader, struct error *err);

/* Files of a whole new core come from those of the same name. */
void core_lineage_match(const struct core_lineage *lineage, struct core_tree *after);

void core_moves_release(struct core_moves *moves);
void core_lineage_release(struct core_lineage *lineage);

#endif
