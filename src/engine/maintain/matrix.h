/*
 * The test matrix: which combinations of skills are worth a test, on which cores, and why.
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
 *	alone	each skill, with what it depends on
 *	pairs	two skills that overlap (matrix_overlap.h), unless one of them declares a
 *		conflict with the other
 *	stacks	three skills of which each overlaps with the two others: those that have the
 *		most in common, up to a limit; and those of the list that the maintainers
 *		keep (matrix_list.h)
 *
 * Two of these may come down to the same skills, since dependencies come along: a skill and
 * the one that it depends on are that skill alone. They are one entry then, with all reasons.
 *
 * All of it for each core: the present one, and earlier ones that the list or the request
 * names (matrix_core.h). A skill that was written for a newer core is not tested on an older
 * one. What is left out is told in `notes`.
 *
 * The same packages give the same plan, in the same order, with the same ids, on every
 * machine. matrix_run.h runs it.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_H
#define ENGINE_MAINTAIN_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/commit/pending.h"
#include "engine/disk/project.h"
#include "engine/maintain/matrix_core.h"
#include "engine/maintain/matrix_overlap.h"
#include "engine/package/package.h"

/* Stacks by overlap, for each core, unless the list says otherwise. */
#define MATRIX_DEFAULT_STACKS 20

/* An id is the version of a core and three names. */
#define MATRIX_MAX_ENTRIES ((size_t)100000)

enum matrix_kind {
	MATRIX_ALONE,
	MATRIX_PAIR,
	MATRIX_STACK,
};

extern const char *const matrix_kind_names[];

/* Why an entry is in. */
struct matrix_reason {
	enum matrix_kind kind;
	struct string_array skills;     /* sorted */
	bool curated;                   /* the list names it; else what follows */
	struct matrix_overlaps overlap; /* what the skills have in common; empty if alone */
	char *text;                     /* a sentence for people */
};

struct matrix_entry {
	char *id; /* "1.0.0/polite+shout": letters, digits and "._+-/" */
	enum matrix_kind kind;
	size_t core;                /* its number in `cores` */
	struct string_array skills; /* that it is about, sorted */
	struct string_array order;  /* all that are applied, dependencies first */
	struct matrix_reason *reasons;
	size_t reason_count, reason_cap;
};

struct matrix {
	struct package_list packages;
	struct matrix_cores cores; /* the present one comes first */
	struct matrix_entry *list; /* by core, then by kind, then by id */
	size_t count, cap;
	char **notes; /* what was left out, and why */
	size_t note_count, note_cap;
	char *setup; /* a command for a fresh core, or NULL (matrix_list.h) */
};

#define MATRIX_INIT ((struct matrix){0})

struct matrix_request {
	/* Only entries about these skills (all of the entry's are among them); none: all. */
	const char *const *skills;
	size_t skill_count;
	/* Only these versions of the core; none: the present one and those of the list. */
	const char *const *core_versions;
	size_t core_version_count;
	/* A folder, or a git ref, that stands for the present core; NULL: the project's own. */
	const char *core;
};

/*
 * ERROR_INVALID for a package that is faulty, two of the same name, a fault in the list
 * (with its place), and names and versions that are not known.
 */
int matrix_plan(const struct project *project, const struct matrix_request *request,
	struct matrix *ret_matrix, struct error *err);

/* The entry of that id, or NULL. */
const struct matrix_entry *matrix_find(const struct matrix *matrix, const char *id);

/* The package of that skill, or NULL. */
const struct package *matrix_package(const struct matrix *matrix, const char *skill);

void matrix_release(struct matrix *matrix);

#endif
