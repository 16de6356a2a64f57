/*
 * The test matrix: which combinations of skills are worth testing, on which cores, and why.
 *
 *	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
 *
 *	if (matrix_plan(&project, &(struct matrix_request){0}, &matrix, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < matrix.count; i++)
 *		… matrix.list[i].id, and why it is there: its reasons …
 *
 * It is derived from the manifests of the project's packages:
 *
 *	alone	each skill, with its dependencies
 *	pairs	two skills that overlap (matrix_overlap.h), unless one of them declares a
 *		conflict with the other
 *	stacks	three skills that overlap with each other: the ones that share the most, up
 *		to a limit; and the stacks in the maintainers' list (matrix_list.h)
 *
 * Two of these can result in the same skills, because dependencies are included: the pair of a
 * skill and its dependency is the same as the skill alone. They become one entry with several
 * reasons.
 *
 * Each core has its own entries: the current core, and earlier ones that the list or the request
 * names (matrix_core.h). A skill is not tested on a core that is older than the one it was
 * written for. `notes` says what was left out.
 *
 * The same packages give the same plan, in the same order, with the same ids, on every
 * machine. matrix_run.h runs it.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_H
#define ENGINE_MAINTAIN_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string_array.h"
#include "engine/commit/pending.h"
#include "engine/disk/project.h"
#include "engine/maintain/matrix_core.h"
#include "engine/maintain/matrix_overlap.h"
#include "engine/package/package.h"

#define MATRIX_MAX_ENTRIES ((size_t)100000)

enum matrix_kind {
	MATRIX_ALONE,
	MATRIX_PAIR,
	MATRIX_STACK,
};

extern const char *const matrix_kind_names[];

/* Why an entry is in the matrix. */
struct matrix_reason {
	enum matrix_kind kind;
	struct string_array skills;     /* sorted */
	bool curated;                   /* it is in the maintainers' list */
	struct matrix_overlaps overlap; /* of the skills; empty if alone */
	char *text;                     /* a sentence for people */
};

struct matrix_entry {
	char *id; /* "1.0.0/polite+shout": letters, digits and "._+-/" */
	enum matrix_kind kind;
	size_t core;                /* its number in `cores` */
	struct string_array skills; /* the skills it tests, sorted */
	struct string_array order;  /* the skills to apply, dependencies first */
	struct matrix_reason *reasons;
	size_t reason_count, reason_cap;
};

struct matrix {
	struct package_list packages;
	struct matrix_cores cores; /* the present one comes first */
	struct matrix_entry *list; /* by core, then by kind, then by id */
	size_t count, cap;
	struct string_array notes; /* what was left out and why */
	char *setup;               /* a command for a fresh core, or NULL (matrix_list.h) */
};

#define MATRIX_INIT ((struct matrix){0})

/* The arrays belong to the caller. */
struct matrix_request {
	struct string_array skills;        /* only entries of these skills; empty: all */
	struct string_array core_versions; /* empty: the present one and the listed ones */
	const char *core; /* a folder or git ref in place of the present core; or NULL */
};

/*
 * ERROR_INVALID for a faulty package, two packages of one skill, a fault in the list (with its
 * place), and unknown names and versions.
 */
int matrix_plan(const struct project *project, const struct matrix_request *request,
	struct matrix *ret_matrix, struct error *err);

/* The entry of that id, or NULL. */
const struct matrix_entry *matrix_find(const struct matrix *matrix, const char *id);

/*
 * Add skills to `order`, each once and after its dependencies. Missing packages and cycles are
 * reported when the skills are applied.
 */
void matrix_order(const struct package_list *packages, const char *const *skills, size_t count,
	struct string_array *order);

void matrix_release(struct matrix *matrix);

#endif
