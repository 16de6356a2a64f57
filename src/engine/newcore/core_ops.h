/*
 * Renames and deletions that a new core declares, as text:
 *
 *	file_ops:			path_remap:
 *	  - type: rename		  src/server.ts: src/app.ts
 *	    from: src/server.ts		  src/old-config.ts: src/config/main.ts
 *	    to: src/app.ts
 *	  - type: delete
 *	    path: src/old.ts
 *
 * `file_ops` is as in the manifest of a skill, and is read by the same code. A file with only
 * one of the two may omit the key, and begin with its value.
 */
#ifndef ENGINE_NEWCORE_CORE_OPS_H
#define ENGINE_NEWCORE_CORE_OPS_H

#include "engine/package/manifest.h"

struct core_map_entry {
	struct relpath from;
	struct relpath to;
	struct yaml_place at;
};

struct core_map {
	struct core_map_entry *list; /* sorted by the old path */
	size_t count;
	size_t cap;
};

struct core_ops {
	struct manifest holder; /* of `file_ops`, and of the text that they are in */
	struct core_map map;
	char *ops_name; /* the texts, for messages; NULL if there was none */
	char *map_name;
};

#define CORE_OPS_INIT ((struct core_ops){0})

enum core_ops_part {
	CORE_OPS_FILE_OPS = 1 << 0,
	CORE_OPS_REMAP = 1 << 1,
};

/*
 * Read a text that may have these parts; with one part alone it may be the part itself. All
 * faults go to `faults`: paths that no update may touch, operations that contradict each other,
 * names that lead in a circle, and a part that an earlier text had already.
 */
void core_ops_parse(struct view text, const char *name, unsigned parts, struct core_ops *ops,
	struct faults *faults);

/* Where the chain that begins at the entry ends; NULL if it is a circle, or too long. */
const struct relpath *core_map_end(
	const struct core_map *map, const struct core_map_entry *entry);

void core_ops_release(struct core_ops *ops);

#endif
