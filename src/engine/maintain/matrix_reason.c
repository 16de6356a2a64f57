/* Why an entry is in the matrix. */
#include <stdlib.h>
#include <string.h>

#include "engine/maintain/matrix_parts.h"

/* So many of the things that skills have in common are told in a reason. */
#define MAX_TOLD 3

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct string_array matrix_plan_names(
	const struct matrix *matrix, const size_t *skills, size_t count)
{
	struct string_array names = {0};

	for (size_t i = 0; i < count; i++)
		string_array_add(&names, matrix->packages.list[skills[i]].manifest.skill);
	if (names.count)
		qsort(names.list, names.count, sizeof(*names.list), compare_texts);
	return names;
}

/* "a, b and c" */
static void append_names(struct buf *out, const struct string_array *names)
{
	for (size_t i = 0; i < names->count; i++)
		buf_appendf(out, "%s%s",
			!i                      ? ""
			: i + 1 == names->count ? " and "
						: ", ",
			names->list[i]);
}

static void describe_alone(
	struct buf *out, const struct string_array *skills, const struct string_array *order)
{
	const char *before = " with ";

	buf_append_str(out, "each skill alone");
	for (size_t i = 0; i < order->count; i++)
		if (!string_array_has(skills, order->list[i])) {
			buf_appendf(out, "%s%s", before, order->list[i]);
			before = ", ";
		}
}

/* What all of them have in common; else what each two have. */
static void gather_overlap(const struct planning *p, const size_t *skills, size_t count,
	struct matrix_overlaps *ret_overlap)
{
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps common = MATRIX_OVERLAPS_INIT;
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps two = MATRIX_OVERLAPS_INIT;

	if (count == 3) {
		matrix_overlaps_common(matrix_plan_overlap(p, skills[0], skills[1]),
			matrix_plan_overlap(p, skills[0], skills[2]), &two);
		matrix_overlaps_common(
			&two, matrix_plan_overlap(p, skills[1], skills[2]), &common);
	}
	if (common.count) {
		matrix_overlaps_copy(&common, ret_overlap);
		return;
	}
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			matrix_overlaps_copy(
				matrix_plan_overlap(p, skills[i], skills[k]), ret_overlap);
}

struct matrix_reason matrix_plan_reason(const struct planning *p, const size_t *skills,
	size_t count, const struct string_array *order, const struct yaml_place *at)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct matrix_reason reason = {
		.kind = count == 1   ? MATRIX_ALONE
			: count == 2 ? MATRIX_PAIR
				     : MATRIX_STACK,
		.curated = at != NULL,
		.skills = matrix_plan_names(p->matrix, skills, count),
	};

	if (count == 1) {
		describe_alone(&text, &reason.skills, order);
	} else {
		append_names(&text, &reason.skills);
		gather_overlap(p, skills, count, &reason.overlap);
		if (at)
			buf_appendf(&text, " are a stack of line %zu in " MATRIX_LIST_FULL,
				at->line);
		else
			buf_append_str(&text, " share ");
		if (!at)
			matrix_overlaps_describe(&reason.overlap, MAX_TOLD, &text);
	}
	reason.text = buf_take(&text);
	return reason;
}

void matrix_reason_release(struct matrix_reason *reason)
{
	string_array_release(&reason->skills);
	matrix_overlaps_release(&reason->overlap);
	free(reason->text);
}
