/* Stacks of three skills that overlap with each other. */
#include <stdlib.h>
#include <string.h>

#include "engine/maintain/matrix_parts.h"

struct stack {
	size_t skills[3];
	size_t shared; /* by all three */
	size_t pairs;  /* by two of them, summed up */
};

/* Those with more in common come first. */
static int compare(const struct stack *a, const struct stack *b)
{
	if (a->shared != b->shared)
		return a->shared > b->shared ? -1 : 1;
	if (a->pairs != b->pairs)
		return a->pairs > b->pairs ? -1 : 1;
	return 0;
}

static struct stack judge(const struct planning *p, size_t a, size_t b, size_t c)
{
	const struct matrix_overlaps *ab = matrix_plan_overlap(p, a, b);
	const struct matrix_overlaps *ac = matrix_plan_overlap(p, a, c);
	const struct matrix_overlaps *bc = matrix_plan_overlap(p, b, c);
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps two = MATRIX_OVERLAPS_INIT;
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps all = MATRIX_OVERLAPS_INIT;

	matrix_overlaps_common(ab, ac, &two);
	matrix_overlaps_common(&two, bc, &all);
	return (struct stack){
		.skills = {a, b, c},
		.shared = all.count,
		.pairs = ab->count + ac->count + bc->count,
	};
}

/* Keep the best ones. Of those that are as good, the earlier by name comes first. */
static void insert(struct stack *best, size_t *count, size_t limit, const struct stack *stack)
{
	size_t at = *count;

	while (at > 0 && compare(stack, &best[at - 1]) < 0)
		at--;
	if (at == limit)
		return;
	if (*count < limit)
		(*count)++;
	memmove(&best[at + 1], &best[at], (*count - at - 1) * sizeof(*best));
	best[at] = *stack;
}

static bool overlap(const struct planning *p, size_t a, size_t b)
{
	return matrix_plan_overlap(p, a, b)->count > 0;
}

size_t matrix_stacks_find(
	const struct planning *p, size_t limit, size_t **ret_stacks, size_t *ret_all)
{
	CLEANUP(freep) struct stack *best = xcalloc(limit + 1, sizeof(*best));
	size_t skills = p->matrix->packages.count, count = 0, all = 0;
	size_t *stacks;

	for (size_t a = 0; a < skills; a++)
		for (size_t b = a + 1; b < skills; b++) {
			if (!overlap(p, a, b))
				continue;
			for (size_t c = b + 1; c < skills; c++) {
				const size_t three[] = {a, b, c};
				struct stack stack;

				if (!overlap(p, a, c) || !overlap(p, b, c) ||
					matrix_plan_excluded(p, three, 3, NULL, NULL))
					continue;
				all++;
				stack = judge(p, a, b, c);
				insert(best, &count, limit, &stack);
			}
		}
	stacks = xcalloc(3 * count + 1, sizeof(*stacks));
	for (size_t i = 0; i < count; i++)
		memcpy(&stacks[3 * i], best[i].skills, sizeof(best[i].skills));
	*ret_stacks = stacks;
	*ret_all = all;
	return count;
}
