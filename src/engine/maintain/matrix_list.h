/*
 * .claude/skills/matrix.yaml: entries of the test matrix that the maintainers add to those from
 * the manifests. The file is optional.
 *
 *	cores:			earlier cores that the skills must work on
 *	  - 1.0.0		one that the project has kept
 *	  - version: 0.9.0	a folder, or a commit of the project's repository
 *	    from: v0.9.0
 *	stacks:			skills that people use together
 *	  - [diary, shout, smile]
 *	stack_limit: 20		how many stacks to find by overlap, for each core
 *	setup: npm ci		run once on each core, before any skill is applied
 */
#ifndef ENGINE_MAINTAIN_MATRIX_LIST_H
#define ENGINE_MAINTAIN_MATRIX_LIST_H

#include "base/string_array.h"
#include "engine/maintain/matrix_core.h"
#include "format/yaml.h"

#define MATRIX_LIST_FULL ".claude/skills/matrix.yaml"

#define MATRIX_LIST_MAX_STACK 10

/* Stacks by overlap for each core, unless the file sets the limit. */
#define MATRIX_DEFAULT_STACKS 20

struct matrix_list_stack {
	struct string_array skills; /* in the order of the list */
	struct yaml_place at;
	struct yaml_place *places; /* of the skills */
};

struct matrix_list {
	struct matrix_cores cores;
	struct yaml_place *core_places;
	struct matrix_list_stack *stacks;
	size_t stack_count, stack_cap;
	size_t stack_limit;
	char *setup; /* or NULL */
};

#define MATRIX_LIST_INIT ((struct matrix_list){0})

/* Every fault is ERROR_INVALID with its place. `*ret_list` must be empty. */
int matrix_list_read(
	const struct project *project, struct matrix_list *ret_list, struct error *err);

/* A fault that is found later, at a place of the file. Returns -1. */
int matrix_list_fault(struct yaml_place at, struct error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void matrix_list_release(struct matrix_list *list);

#endif
