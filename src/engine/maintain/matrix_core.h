/*
 * The cores that skills are tested on, and how to get hold of one.
 *
 *	present	of a project that has a base, the base; else the tree as it is
 *	kept	an earlier one that the project has kept (earlier_cores.h)
 *	source	a folder, or a commit of the project's repository (core_source.h)
 */
#ifndef ENGINE_MAINTAIN_MATRIX_CORE_H
#define ENGINE_MAINTAIN_MATRIX_CORE_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/disk/project.h"
#include "util/hash.h"

enum matrix_core_kind {
	MATRIX_CORE_PRESENT,
	MATRIX_CORE_KEPT,
	MATRIX_CORE_SOURCE,
};

struct matrix_core {
	enum matrix_core_kind kind;
	char *version;
	char *source; /* what was named; NULL: not of this kind */
	bool present; /* the project's own, or what stands for it */
};

struct matrix_cores {
	struct matrix_core *list;
	size_t count;
	size_t cap;
};

#define MATRIX_CORES_INIT ((struct matrix_cores){0})

/*
 * The version of the project's core, or of the one in the folder or commit `source`, if that
 * is not NULL. To be freed.
 */
int matrix_core_version(const struct project *project, const char *source, char **ret_version,
	struct error *err);

/* Is this version among the earlier cores that the project has kept? */
bool matrix_core_is_kept(const struct project *project, const char *version);

/*
 * Put the files of a core into the empty folder `to`. `*ret_hash` is one for all of it:
 * names, contents, permissions. A file whose content is lost is ERROR_FAILED.
 */
int matrix_core_copy(const struct project *project, const struct matrix_core *core, int to,
	struct hash *ret_hash, struct error *err);

/* Takes over the texts. */
void matrix_cores_add(
	struct matrix_cores *cores, enum matrix_core_kind kind, char *version, char *source);
void matrix_cores_release(struct matrix_cores *cores);

#endif
