/* The parts of matrix_plan(), for matrix*.c only. */
#ifndef ENGINE_MAINTAIN_MATRIX_PARTS_H
#define ENGINE_MAINTAIN_MATRIX_PARTS_H

#include "engine/maintain/matrix.h"
#include "engine/maintain/matrix_list.h"
#include "engine/state/state.h"
#include "util/string_array.h"

/* A plan that is being made. Skills are known by their number among the packages. */
struct planning {
	const struct project *project;
	const struct matrix_request *request;
	struct matrix *matrix;
	struct matrix_list list;
	struct state state;
	struct matrix_overlaps *overlaps; /* of each two: matrix_plan_overlap() */
};

struct matrix_overlaps *matrix_plan_overlap(const struct planning *p, size_t a, size_t b);

/* Do two of these skills, or of what they depend on, declare a conflict? */
bool matrix_plan_excluded(const struct planning *p, const size_t *skills, size_t count,
	const char **ret_one, const char **ret_other);

/* The number of a skill; `count` of the packages if there is none. */
size_t matrix_plan_number(const struct matrix *matrix, const char *skill);

void matrix_plan_note(struct matrix *matrix, char *text);

/* matrix_cores.c: choose them. */
int matrix_plan_cores(struct planning *p, struct error *err);

/* matrix_reason.c: the names of skills, sorted. */
struct string_array matrix_plan_names(
	const struct matrix *matrix, const size_t *skills, size_t count);

/* A reason to test these together; `at` is their place in the list, or NULL. */
struct matrix_reason matrix_plan_reason(const struct planning *p, const size_t *skills,
	size_t count, const struct string_array *order, const struct yaml_place *at);
void matrix_reason_release(struct matrix_reason *reason);

/*
 * matrix_stacks.c: three that overlap, the best first, and how many there are in all. The
 * list, of three numbers each, is to be freed.
 */
size_t matrix_stacks_find(
	const struct planning *p, size_t limit, size_t **ret_stacks, size_t *ret_all);

#endif
