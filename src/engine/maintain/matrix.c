#include "engine/maintain/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "engine/maintain/matrix_parts.h"
#include "engine/package/semver.h"

const char *const matrix_kind_names[] = {
	[MATRIX_ALONE] = "alone",
	[MATRIX_PAIR] = "pair",
	[MATRIX_STACK] = "stack",
};

/* --- skills --------------------------------------------------------------------------- */

size_t matrix_plan_number(const struct matrix *matrix, const char *skill)
{
	size_t i = 0;

	while (i < matrix->packages.count &&
		strcmp(matrix->packages.list[i].manifest.skill, skill) != 0)
		i++;
	return i;
}

const struct package *matrix_package(const struct matrix *matrix, const char *skill)
{
	size_t number = matrix_plan_number(matrix, skill);

	return number < matrix->packages.count ? &matrix->packages.list[number] : NULL;
}

static const struct manifest *manifest_of(const struct matrix *matrix, size_t number)
{
	return &matrix->packages.list[number].manifest;
}

static const char *name_of(const struct matrix *matrix, size_t number)
{
	return manifest_of(matrix, number)->skill;
}

/*
 * A skill, behind what it depends on. One whose package is not here, and a circle, are for
 * the one who applies it to find out.
 */
static void add_with_dependencies(
	const struct matrix *matrix, const char *skill, bool *seen, struct string_array *order)
{
	size_t number = matrix_plan_number(matrix, skill);
	const struct manifest_references *depends;

	if (number == matrix->packages.count || seen[number])
		return;
	seen[number] = true;
	depends = &manifest_of(matrix, number)->depends;
	for (size_t i = 0; i < depends->count; i++)
		add_with_dependencies(matrix, depends->list[i].skill, seen, order);
	string_array_add(order, skill);
}

static struct string_array order_of(
	const struct matrix *matrix, const size_t *skills, size_t count)
{
	CLEANUP(freep) bool *seen = xcalloc(matrix->packages.count + 1, sizeof(*seen));
	struct string_array order = {0};

	for (size_t i = 0; i < count; i++)
		add_with_dependencies(matrix, name_of(matrix, skills[i]), seen, &order);
	return order;
}

bool matrix_plan_excluded(const struct planning *p, const size_t *skills, size_t count,
	const char **ret_one, const char **ret_other)
{
	CLEANUP(string_array_release)
	struct string_array order = order_of(p->matrix, skills, count);

	for (size_t i = 0; i < order.count; i++)
		for (size_t k = 0; k < order.count; k++) {
			const struct package *package =
				matrix_package(p->matrix, order.list[i]);
			const struct package *other = matrix_package(p->matrix, order.list[k]);

			if (i == k || !manifest_conflicts_with(
					      &package->manifest, other->manifest.skill))
				continue;
			if (ret_one) {
				*ret_one = package->manifest.skill;
				*ret_other = other->manifest.skill;
			}
			return true;
		}
	return false;
}

struct matrix_overlaps *matrix_plan_overlap(const struct planning *p, size_t a, size_t b)
{
	size_t first = a < b ? a : b, second = a < b ? b : a;

	return &p->overlaps[first * p->matrix->packages.count + second];
}

/* --- packages ------------------------------------------------------------------------- */

static int load_packages(struct planning *p, struct error *err)
{
	struct package_list *packages = &p->matrix->packages;

	if (package_list_read(p->project->root, packages, err) < 0)
		return -1;
	if (packages->broken_count) {
		error_set(
			err, ERROR_INVALID, "the package '%s' is faulty", packages->broken[0]);
		return error_hint(
			err, "'nanoclaw skill check %s' shows its faults", packages->broken[0]);
	}
	for (size_t i = 1; i < packages->count; i++) {
		const struct package *one = &packages->list[i - 1], *other = &packages->list[i];

		if (!strcmp(one->manifest.skill, other->manifest.skill))
			return error_set(err, ERROR_INVALID,
				"'%s' and '%s' have the same skill '%s'", one->folder,
				other->folder, one->manifest.skill);
	}
	return 0;
}

static void find_overlaps(struct planning *p)
{
	size_t count = p->matrix->packages.count;

	p->overlaps = xcalloc(count * count + 1, sizeof(*p->overlaps));
	for (size_t a = 0; a < count; a++)
		for (size_t b = a + 1; b < count; b++)
			matrix_overlap(manifest_of(p->matrix, a), manifest_of(p->matrix, b),
				&p->state, matrix_plan_overlap(p, a, b));
}

/* --- entries -------------------------------------------------------------------------- */

void matrix_plan_note(struct matrix *matrix, char *text)
{
	for (size_t i = 0; i < matrix->note_count; i++)
		if (!strcmp(matrix->notes[i], text)) {
			free(text);
			return;
		}
	GROW(matrix->notes, matrix->note_count, matrix->note_cap);
	matrix->notes[matrix->note_count++] = text;
}

static bool same_skills(const struct string_array *a, const struct string_array *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!string_array_has(b, a->list[i]))
			return false;
	return true;
}

/* One that comes down to the same skills on the same core, or NULL. */
static struct matrix_entry *find_same(
	struct matrix *matrix, size_t core, const struct string_array *order)
{
	for (size_t i = matrix->count; i > 0 && matrix->list[i - 1].core == core; i--)
		if (same_skills(&matrix->list[i - 1].order, order))
			return &matrix->list[i - 1];
	return NULL;
}

static char *id_of(const char *version, const struct string_array *skills)
{
	CLEANUP(buf_release) struct buf id = BUF_INIT;

	buf_appendf(&id, "%s/", version);
	for (size_t i = 0; i < skills->count; i++)
		buf_appendf(&id, "%s%s", i ? "+" : "", skills->list[i]);
	return buf_take(&id);
}

static void add_reason(struct matrix_entry *entry, struct matrix_reason reason)
{
	GROW(entry->reasons, entry->reason_count, entry->reason_cap);
	entry->reasons[entry->reason_count++] = reason;
}

/* Only earlier cores: that a skill is too new for the present one should be seen. */
static bool is_too_new(const struct planning *p, size_t core, const struct string_array *order)
{
	const char *version = p->matrix->cores.list[core].version;

	if (p->matrix->cores.list[core].present)
		return false;
	for (size_t i = 0; i < order->count; i++) {
		const struct manifest *m = &matrix_package(p->matrix, order->list[i])->manifest;

		if (semver_compare_text(m->core_version, version) <= 0)
			continue;
		matrix_plan_note(p->matrix,
			xasprintf("%s was written for core %s: it is not tested on %s",
				m->skill, m->core_version, version));
		return true;
	}
	return false;
}

static bool is_chosen(const struct planning *p, const struct string_array *skills)
{
	for (size_t i = 0; i < skills->count && p->request->skill_count; i++) {
		size_t k = 0;

		while (k < p->request->skill_count &&
			strcmp(p->request->skills[k], skills->list[i]) != 0)
			k++;
		if (k == p->request->skill_count)
			return false;
	}
	return true;
}

static int add_entry(struct planning *p, size_t core, const size_t *skills, size_t count,
	const struct yaml_place *at, struct error *err)
{
	CLEANUP(string_array_release)
	struct string_array order = order_of(p->matrix, skills, count);
	struct matrix *matrix = p->matrix;
	struct matrix_entry *entry;
	struct matrix_reason reason;

	if (is_too_new(p, core, &order))
		return 0;
	reason = matrix_plan_reason(p, skills, count, &order, at);
	entry = find_same(matrix, core, &order);
	if (!is_chosen(p, &reason.skills)) {
		matrix_reason_release(&reason);
		return 0;
	}
	if (!entry && matrix->count == MATRIX_MAX_ENTRIES) {
		matrix_reason_release(&reason);
		return error_set(err, ERROR_INVALID, "the matrix has more than %zu entries",
			MATRIX_MAX_ENTRIES);
	}
	if (!entry) {
		GROW(matrix->list, matrix->count, matrix->cap);
		entry = &matrix->list[matrix->count++];
		*entry = (struct matrix_entry){
			.id = id_of(matrix->cores.list[core].version, &reason.skills),
			.kind = reason.kind,
			.core = core,
			.skills = matrix_plan_names(matrix, skills, count),
			.order = order,
		};
		order = (struct string_array){0};
	}
	add_reason(entry, reason);
	return 0;
}

static int add_pairs(struct planning *p, size_t core, struct error *err)
{
	size_t count = p->matrix->packages.count;

	for (size_t a = 0; a < count; a++)
		for (size_t b = a + 1; b < count; b++) {
			const size_t pair[] = {a, b};
			const char *one, *other;

			if (!matrix_plan_overlap(p, a, b)->count)
				continue;
			if (matrix_plan_excluded(p, pair, 2, &one, &other)) {
				matrix_plan_note(p->matrix,
					xasprintf("%s and %s overlap, and are left out: %s "
						  "declares a conflict with %s",
						name_of(p->matrix, a), name_of(p->matrix, b),
						one, other));
				continue;
			}
			if (add_entry(p, core, pair, 2, NULL, err) < 0)
				return -1;
		}
	return 0;
}

static int add_stacks(struct planning *p, size_t core, struct error *err)
{
	CLEANUP(freep) size_t *stacks = NULL;
	size_t all, count = matrix_stacks_find(p, p->list.stack_limit, &stacks, &all);

	for (size_t i = 0; i < count; i++)
		if (add_entry(p, core, &stacks[3 * i], 3, NULL, err) < 0)
			return -1;
	if (count < all)
		matrix_plan_note(p->matrix,
			xasprintf("%zu stacks of three overlap; the %zu with the most in "
				  "common are in ('stack_limit' in " MATRIX_LIST_FULL ")",
				all, count));
	return 0;
}

static int read_stack(const struct planning *p, const struct matrix_list_stack *stack,
	size_t *numbers, struct error *err)
{
	const char *one, *other;

	for (size_t i = 0; i < stack->skills.count; i++) {
		numbers[i] = matrix_plan_number(p->matrix, stack->skills.list[i]);
		if (numbers[i] == p->matrix->packages.count)
			return matrix_list_fault(stack->places[i], err,
				"there is no package of the skill '%s'", stack->skills.list[i]);
	}
	if (matrix_plan_excluded(p, numbers, stack->skills.count, &one, &other))
		return matrix_list_fault(stack->at, err,
			"these cannot be a stack: %s declares a conflict with %s", one, other);
	return 0;
}

static int add_listed_stacks(struct planning *p, size_t core, struct error *err)
{
	for (size_t i = 0; i < p->list.stack_count; i++) {
		const struct matrix_list_stack *stack = &p->list.stacks[i];
		size_t numbers[MATRIX_LIST_MAX_STACK];

		if (read_stack(p, stack, numbers, err) < 0 ||
			add_entry(p, core, numbers, stack->skills.count, &stack->at, err) < 0)
			return -1;
	}
	return 0;
}

static int compare_entries(const void *a, const void *b)
{
	const struct matrix_entry *x = a, *y = b;

	if (x->core != y->core)
		return x->core < y->core ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return strcmp(x->id, y->id);
}

static int add_entries(struct planning *p, struct error *err)
{
	struct matrix *matrix = p->matrix;

	for (size_t core = 0; core < matrix->cores.count; core++) {
		for (size_t i = 0; i < matrix->packages.count; i++)
			if (add_entry(p, core, &i, 1, NULL, err) < 0)
				return -1;
		if (add_pairs(p, core, err) < 0 || add_listed_stacks(p, core, err) < 0 ||
			add_stacks(p, core, err) < 0)
			return -1;
	}
	if (matrix->count)
		qsort(matrix->list, matrix->count, sizeof(*matrix->list), compare_entries);
	return 0;
}

/* --- the plan ------------------------------------------------------------------------- */

static int check_request(const struct planning *p, struct error *err)
{
	for (size_t i = 0; i < p->request->skill_count; i++)
		if (!matrix_package(p->matrix, p->request->skills[i])) {
			error_set(err, ERROR_INVALID, "there is no package of the skill '%s'",
				p->request->skills[i]);
			return error_hint(err, "'nanoclaw skill list' shows them");
		}
	return 0;
}

static void planning_release(struct planning *p)
{
	size_t count = p->matrix->packages.count;

	for (size_t i = 0; p->overlaps && i < count * count; i++)
		matrix_overlaps_release(&p->overlaps[i]);
	free(p->overlaps);
	state_release(&p->state);
	matrix_list_release(&p->list);
}

static int plan(struct planning *p, struct error *err)
{
	bool found;

	if (state_load(p->project, &p->state, &found, err) < 0 || load_packages(p, err) < 0 ||
		check_request(p, err) < 0 || matrix_list_read(p->project, &p->list, err) < 0 ||
		matrix_plan_cores(p, err) < 0)
		return -1;
	find_overlaps(p);
	p->matrix->setup = TAKE(p->list.setup);
	return add_entries(p, err);
}

int matrix_plan(const struct project *project, const struct matrix_request *request,
	struct matrix *ret_matrix, struct error *err)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	CLEANUP(planning_release)
	struct planning p = {.project = project, .request = request, .matrix = &matrix};

	if (plan(&p, err) < 0)
		return -1;
	*ret_matrix = matrix;
	/* What is released first still has to know how many packages there are. */
	matrix = (struct matrix){.packages.count = 0};
	p.matrix = ret_matrix;
	return 0;
}

const struct matrix_entry *matrix_find(const struct matrix *matrix, const char *id)
{
	for (size_t i = 0; i < matrix->count; i++)
		if (!strcmp(matrix->list[i].id, id))
			return &matrix->list[i];
	return NULL;
}

static void entry_release(struct matrix_entry *entry)
{
	free(entry->id);
	string_array_release(&entry->skills);
	string_array_release(&entry->order);
	for (size_t i = 0; i < entry->reason_count; i++)
		matrix_reason_release(&entry->reasons[i]);
	free(entry->reasons);
}

void matrix_release(struct matrix *matrix)
{
	package_list_release(&matrix->packages);
	matrix_cores_release(&matrix->cores);
	for (size_t i = 0; i < matrix->count; i++)
		entry_release(&matrix->list[i]);
	free(matrix->list);
	for (size_t i = 0; i < matrix->note_count; i++)
		free(matrix->notes[i]);
	free(matrix->notes);
	free(matrix->setup);
}
