/*
 * The cores that skills are tested on:
 *
 *	present	the project's base; without one, its tree
 *	kept	an earlier core that the project has kept (.nanoclaw/cores)
 *	source	a folder, or a commit of the project's repository (core_source.h)
 */
#ifndef ENGINE_MAINTAIN_MATRIX_CORE_H
#define ENGINE_MAINTAIN_MATRIX_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "engine/disk/project.h"
#include "fs/scratch.h"

enum matrix_core_kind {
	MATRIX_CORE_PRESENT,
	MATRIX_CORE_KEPT,
	MATRIX_CORE_SOURCE,
};

struct matrix_core {
	enum matrix_core_kind kind;
	char *version;
	char *source; /* the folder or commit; or NULL */
	bool present; /* the project's own, or the one in its place */
};

struct matrix_cores {
	struct matrix_core *list;
	size_t count;
	size_t cap;
};

/*
 * The version of the project's core, or of the core in the folder or commit `source` if that
 * is not NULL. To be freed.
 */
int matrix_core_version(const struct project *project, const char *source, char **ret_version,
	struct error *err);

/* Is this version among the earlier cores that the project has kept? */
bool matrix_core_is_kept(const struct project *project, const char *version);

/*
 * Copy a core to the new folder `name` of a scratch folder, and open it. `*ret_hash` covers all
 * of it: names, contents, permissions. A file whose content is lost is ERROR_FAILED.
 */
int matrix_core_copy(const struct project *project, const struct matrix_core *core,
	const struct scratch *scratch, const char *name, struct project *ret_copy,
	struct hash *ret_hash, struct error *err);

/* Lock a copy, and initialize it. */
int matrix_core_init(struct project *copy, const char *version, struct error *err);

/* `source` may be NULL. */
void matrix_cores_add(struct matrix_cores *cores, enum matrix_core_kind kind,
	const char *version, const char *source);
bool matrix_cores_have(const struct matrix_cores *cores, const char *version);
void matrix_cores_release(struct matrix_cores *cores);

#endif
