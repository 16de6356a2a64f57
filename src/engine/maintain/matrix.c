#include "engine/maintain/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "engine/maintain/matrix_list.h"
#include "engine/package/semver.h"
#include "engine/state/state.h"

/* How many shared things the text of a reason names. */
#define MAX_NAMED 3

const char *const matrix_kind_names[] = {
	[MATRIX_ALONE] = "alone",
	[MATRIX_PAIR] = "pair",
	[MATRIX_STACK] = "stack",
};

/* A plan in the making. A skill is its number among the packages. */
struct planning {
	const struct project *project;
	const struct matrix_request *request;
	struct matrix *matrix;
	struct matrix_list list;
	struct state state;
	struct matrix_overlaps *overlaps; /* of each two: overlap_of() */
	size_t overlap_count;
};

static const struct manifest *manifest_of(const struct planning *p, size_t skill)
{
	return &p->matrix->packages.list[skill].manifest;
}

static struct matrix_overlaps *overlap_of(const struct planning *p, size_t a, size_t b)
{
	size_t first = a < b ? a : b, second = a < b ? b : a;

	return &p->overlaps[first * p->matrix->packages.count + second];
}

/* --- skills --- */

static void order_add(const struct package_list *packages, const char *skill, bool *seen,
	struct string_array *order)
{
	const struct package *package = package_list_find(packages, skill);
	const struct manifest_references *depends;

	if (!package || seen[package - packages->list])
		return;
	seen[package - packages->list] = true;
	depends = &package->manifest.depends;
	for (size_t i = 0; i < depends->count; i++)
		order_add(packages, depends->list[i].skill, seen, order);
	string_array_add_new(order, skill);
}

void matrix_order(const struct package_list *packages, const char *const *skills, size_t count,
	struct string_array *order)
{
	CLEANUP(freep) bool *seen = xcalloc(packages->count + 1, sizeof(*seen));

	for (size_t i = 0; i < count; i++)
		order_add(packages, skills[i], seen, order);
}

static struct string_array sorted_names(
	const struct planning *p, const size_t *skills, size_t count)
{
	struct string_array names = {0};

	for (size_t i = 0; i < count; i++)
		string_array_add(&names, manifest_of(p, skills[i])->skill);
	string_array_sort_once(&names);
	return names;
}

static struct string_array order_of(
	const struct planning *p, const size_t *skills, size_t count)
{
	const char *names[MATRIX_LIST_MAX_STACK];
	struct string_array order = {0};

	for (size_t i = 0; i < count; i++)
		names[i] = manifest_of(p, skills[i])->skill;
	matrix_order(&p->matrix->packages, names, count, &order);
	return order;
}

/*
 * A conflict that one of these skills, or a dependency of one, declares with another: "a
 * declares a conflict with b". NULL if there is none.
 */
static char *declared_conflict(const struct planning *p, const size_t *skills, size_t count)
{
	CLEANUP(string_array_release) struct string_array order = order_of(p, skills, count);

	for (size_t i = 0; i < order.count; i++) {
		const struct package *package =
			package_list_find(&p->matrix->packages, order.list[i]);

		for (size_t k = 0; k < order.count; k++)
			if (i != k &&
				manifest_conflicts_with(&package->manifest, order.list[k]))
				return xasprintf("%s declares a conflict with %s",
					order.list[i], order.list[k]);
	}
	return NULL;
}

/* --- reasons --- */

static struct matrix_overlaps shared_by_three(const struct planning *p, const size_t *skills)
{
	CLEANUP(matrix_overlaps_release) struct matrix_overlaps two = MATRIX_OVERLAPS_INIT;
	struct matrix_overlaps all = MATRIX_OVERLAPS_INIT;

	matrix_overlaps_common(
		overlap_of(p, skills[0], skills[1]), overlap_of(p, skills[0], skills[2]), &two);
	matrix_overlaps_common(&two, overlap_of(p, skills[1], skills[2]), &all);
	return all;
}

/* The overlap of all skills; if it is empty, the overlaps of every two of them. */
static struct matrix_overlaps shared_by(
	const struct planning *p, const size_t *skills, size_t count)
{
	struct matrix_overlaps shared = MATRIX_OVERLAPS_INIT;

	if (count == 3)
		shared = shared_by_three(p, skills);
	if (shared.count)
		return shared;
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count; k++)
			matrix_overlaps_copy(overlap_of(p, skills[i], skills[k]), &shared);
	return shared;
}

/* `at` is where the list has these skills, or NULL. */
static struct matrix_reason reason_of(const struct planning *p, const size_t *skills,
	size_t count, const struct string_array *order, const struct yaml_place *at)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	struct matrix_reason reason = {
		.kind = count == 1   ? MATRIX_ALONE
			: count == 2 ? MATRIX_PAIR
				     : MATRIX_STACK,
		.curated = at != NULL,
		.skills = sorted_names(p, skills, count),
	};

	if (count == 1) {
		const char *before = " with ";

		buf_append_str(&text, "each skill alone");
		for (size_t i = 0; i < order->count; i++) {
			if (!strcmp(order->list[i], reason.skills.list[0]))
				continue;
			buf_appendf(&text, "%s%s", before, order->list[i]);
			before = ", ";
		}
	} else {
		reason.overlap = shared_by(p, skills, count);
		for (size_t i = 0; i < count; i++)
			buf_appendf(&text, "%s%s",
				!i               ? ""
				: i + 1 == count ? " and "
						 : ", ",
				reason.skills.list[i]);
		if (at) {
			buf_appendf(&text, " are a stack of line %zu in " MATRIX_LIST_FULL,
				at->line);
		} else {
			buf_append_str(&text, " share ");
			matrix_overlaps_describe(&reason.overlap, MAX_NAMED, &text);
		}
	}
	reason.text = buf_take(&text);
	return reason;
}

/* --- entries --- */

/* Only for earlier cores: a skill that is too new for the present one should be seen. */
static bool is_too_new(const struct planning *p, size_t core, const struct string_array *order)
{
	const char *version = p->matrix->cores.list[core].version;

	if (p->matrix->cores.list[core].present)
		return false;
	for (size_t i = 0; i < order->count; i++) {
		const struct manifest *m =
			&package_list_find(&p->matrix->packages, order->list[i])->manifest;
		CLEANUP(freep) char *note = NULL;

		if (semver_compare_text(m->core_version, version) <= 0)
			continue;
		note = xasprintf("%s was written for core %s: it is not tested on %s", m->skill,
			m->core_version, version);
		string_array_add_new(&p->matrix->notes, note);
		return true;
	}
	return false;
}

static bool has_all(const struct string_array *all, const struct string_array *some)
{
	for (size_t i = 0; i < some->count; i++)
		if (!string_array_has(all, some->list[i]))
			return false;
	return true;
}

/* `at` is where the list has these skills, or NULL. */
static int add_entry(struct planning *p, size_t core, const size_t *skills, size_t count,
	const struct yaml_place *at, struct error *err)
{
	CLEANUP(string_array_release) struct string_array order = order_of(p, skills, count);
	CLEANUP(string_array_release)
	struct string_array names = sorted_names(p, skills, count);
	struct matrix *matrix = p->matrix;
	struct matrix_entry *entry = NULL;

	if (is_too_new(p, core, &order) ||
		(p->request->skills.count && !has_all(&p->request->skills, &names)))
		return 0;
	/* Entries of this core are the last ones. */
	for (size_t i = matrix->count; i > 0 && matrix->list[i - 1].core == core && !entry; i--)
		if (matrix->list[i - 1].order.count == order.count &&
			has_all(&matrix->list[i - 1].order, &order))
			entry = &matrix->list[i - 1];
	if (!entry) {
		CLEANUP(buf_release) struct buf id = BUF_INIT;

		if (matrix->count == MATRIX_MAX_ENTRIES)
			return error_set(err, ERROR_INVALID,
				"the matrix has more than %zu entries", MATRIX_MAX_ENTRIES);
		buf_appendf(&id, "%s/", matrix->cores.list[core].version);
		for (size_t i = 0; i < names.count; i++)
			buf_appendf(&id, "%s%s", i ? "+" : "", names.list[i]);
		GROW(matrix->list, matrix->count, matrix->cap);
		entry = &matrix->list[matrix->count++];
		*entry = (struct matrix_entry){
			.id = buf_take(&id),
			.core = core,
			.skills = names,
			.order = order,
		};
		names = order = (struct string_array){0};
	}
	GROW(entry->reasons, entry->reason_count, entry->reason_cap);
	entry->reasons[entry->reason_count++] = reason_of(p, skills, count, &entry->order, at);
	entry->kind = entry->reasons[0].kind;
	return 0;
}

static int add_pairs(struct planning *p, size_t core, struct error *err)
{
	size_t count = p->matrix->packages.count;

	for (size_t a = 0; a < count; a++)
		for (size_t b = a + 1; b < count; b++) {
			const size_t pair[] = {a, b};
			CLEANUP(freep) char *conflict = NULL;
			CLEANUP(freep) char *note = NULL;

			if (!overlap_of(p, a, b)->count)
				continue;
			conflict = declared_conflict(p, pair, 2);
			if (!conflict) {
				if (add_entry(p, core, pair, 2, NULL, err) < 0)
					return -1;
				continue;
			}
			note = xasprintf("%s and %s overlap, and are left out: %s",
				manifest_of(p, a)->skill, manifest_of(p, b)->skill, conflict);
			string_array_add_new(&p->matrix->notes, note);
		}
	return 0;
}

static int add_listed_stacks(struct planning *p, size_t core, struct error *err)
{
	for (size_t i = 0; i < p->list.stack_count; i++) {
		const struct matrix_list_stack *stack = &p->list.stacks[i];
		size_t skills[MATRIX_LIST_MAX_STACK];
		CLEANUP(freep) char *conflict = NULL;

		for (size_t k = 0; k < stack->skills.count; k++) {
			const struct package_list *packages = &p->matrix->packages;
			const struct package *package =
				package_list_find(packages, stack->skills.list[k]);

			if (!package)
				return matrix_list_fault(stack->places[k], err,
					"there is no package for the skill '%s'",
					stack->skills.list[k]);
			skills[k] = (size_t)(package - packages->list);
		}
		conflict = declared_conflict(p, skills, stack->skills.count);
		if (conflict)
			return matrix_list_fault(
				stack->at, err, "these cannot be a stack: %s", conflict);
		if (add_entry(p, core, skills, stack->skills.count, &stack->at, err) < 0)
			return -1;
	}
	return 0;
}

/* Three skills that overlap with each other. */
struct stack {
	size_t skills[3];
	size_t shared; /* by all three */
	size_t pairs;  /* by two of them, added up */
};

static bool stack_measure(const struct planning *p, struct stack *stack)
{
	const size_t *skills = stack->skills;
	size_t ab = overlap_of(p, skills[0], skills[1])->count;
	size_t ac = overlap_of(p, skills[0], skills[2])->count;
	size_t bc = overlap_of(p, skills[1], skills[2])->count;
	CLEANUP(freep) char *conflict = NULL;
	struct matrix_overlaps all;

	if (!ab || !ac || !bc)
		return false;
	conflict = declared_conflict(p, skills, 3);
	if (conflict)
		return false;
	all = shared_by_three(p, skills);
	stack->shared = all.count;
	stack->pairs = ab + ac + bc;
	matrix_overlaps_release(&all);
	return true;
}

/* Keep the `limit` best ones; of equals, the earlier by name comes first. */
static void stack_keep(
	struct stack *best, size_t *count, size_t limit, const struct stack *stack)
{
	size_t at = *count;

	while (at > 0 &&
		(stack->shared != best[at - 1].shared ? stack->shared > best[at - 1].shared
						      : stack->pairs > best[at - 1].pairs))
		at--;
	if (at == limit)
		return;
	if (*count < limit)
		(*count)++;
	memmove(&best[at + 1], &best[at], (*count - at - 1) * sizeof(*best));
	best[at] = *stack;
}

static int add_stacks(struct planning *p, size_t core, struct error *err)
{
	size_t skills = p->matrix->packages.count, limit = p->list.stack_limit;
	CLEANUP(freep) struct stack *best = xcalloc(limit + 1, sizeof(*best));
	size_t count = 0, all = 0;

	for (size_t a = 0; a < skills; a++)
		for (size_t b = a + 1; b < skills; b++)
			for (size_t c = b + 1; overlap_of(p, a, b)->count && c < skills; c++) {
				struct stack stack = {.skills = {a, b, c}};

				if (!stack_measure(p, &stack))
					continue;
				all++;
				stack_keep(best, &count, limit, &stack);
			}
	for (size_t i = 0; i < count; i++)
		if (add_entry(p, core, best[i].skills, 3, NULL, err) < 0)
			return -1;
	if (count < all) {
		CLEANUP(freep)
		char *note = xasprintf("%zu stacks of three overlap; the %zu with the most in "
				       "common are in ('stack_limit' in " MATRIX_LIST_FULL ")",
			all, count);

		string_array_add_new(&p->matrix->notes, note);
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

/* --- the plan --- */

static int read_packages(struct planning *p, struct error *err)
{
	struct package_list *packages = &p->matrix->packages;

	if (package_list_read(p->project->root, packages, err) < 0)
		return -1;
	if (packages->broken.count) {
		error_set(err, ERROR_INVALID, "the package '%s' is faulty",
			packages->broken.list[0]);
		return error_hint(err, "'nanoclaw skill check %s' shows its faults",
			packages->broken.list[0]);
	}
	for (size_t i = 1; i < packages->count; i++) {
		const struct package *one = &packages->list[i - 1], *other = &packages->list[i];

		if (!strcmp(one->manifest.skill, other->manifest.skill))
			return error_set(err, ERROR_INVALID,
				"'%s' and '%s' have the same skill '%s'", one->folder,
				other->folder, one->manifest.skill);
	}
	for (size_t i = 0; i < p->request->skills.count; i++)
		if (!package_list_find(packages, p->request->skills.list[i])) {
			error_set(err, ERROR_INVALID, "there is no package for the skill '%s'",
				p->request->skills.list[i]);
			return error_hint(err, "'nanoclaw skill list' shows them");
		}
	return 0;
}

static void add_core(
	struct planning *p, enum matrix_core_kind kind, const char *version, const char *source)
{
	const struct string_array *wanted = &p->request->core_versions;

	if (!wanted->count || string_array_has(wanted, version))
		matrix_cores_add(&p->matrix->cores, kind, version, source);
}

/* The present core, the cores of the list, and requested ones that the project has kept. */
static int choose_cores(struct planning *p, struct error *err)
{
	const struct matrix_request *request = p->request;
	struct matrix_cores *cores = &p->matrix->cores;
	CLEANUP(freep) char *present = NULL;

	if (matrix_core_version(p->project, request->core, &present, err) < 0)
		return -1;
	add_core(p, request->core ? MATRIX_CORE_SOURCE : MATRIX_CORE_PRESENT, present,
		request->core);
	if (cores->count)
		cores->list[0].present = true;
	for (size_t i = 0; i < p->list.cores.count; i++) {
		const struct matrix_core *core = &p->list.cores.list[i];

		if (!strcmp(core->version, present))
			continue;
		if (core->kind == MATRIX_CORE_KEPT &&
			!matrix_core_is_kept(p->project, core->version)) {
			matrix_list_fault(p->list.core_places[i], err,
				"core %s is not among the earlier cores of this project",
				core->version);
			return error_hint(err,
				"name its location: {version: %s, from: FOLDER or git ref}",
				core->version);
		}
		add_core(p, core->kind, core->version, core->source);
	}
	for (size_t i = 0; i < request->core_versions.count; i++) {
		const char *version = request->core_versions.list[i];

		if (matrix_cores_have(cores, version))
			continue;
		if (!matrix_core_is_kept(p->project, version)) {
			error_set(err, ERROR_INVALID,
				"core '%s' is neither the current one nor a known one",
				version);
			return error_hint(err, "'cores' in " MATRIX_LIST_FULL
					       " names the locations of earlier ones");
		}
		add_core(p, MATRIX_CORE_KEPT, version, NULL);
	}
	return 0;
}

static void planning_release(struct planning *p)
{
	for (size_t i = 0; i < p->overlap_count; i++)
		matrix_overlaps_release(&p->overlaps[i]);
	free(p->overlaps);
	state_release(&p->state);
	matrix_list_release(&p->list);
}

int matrix_plan(const struct project *project, const struct matrix_request *request,
	struct matrix *ret_matrix, struct error *err)
{
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	CLEANUP(planning_release)
	struct planning p = {.project = project, .request = request, .matrix = &matrix};
	size_t count;
	bool found;

	if (state_load(project, &p.state, &found, err) < 0 || read_packages(&p, err) < 0 ||
		matrix_list_read(project, &p.list, err) < 0 || choose_cores(&p, err) < 0)
		return -1;
	matrix.setup = TAKE(p.list.setup);
	count = matrix.packages.count;
	p.overlap_count = count * count;
	p.overlaps = xcalloc(p.overlap_count + 1, sizeof(*p.overlaps));
	for (size_t a = 0; a < count; a++)
		for (size_t b = a + 1; b < count; b++)
			matrix_overlap(manifest_of(&p, a), manifest_of(&p, b), &p.state,
				overlap_of(&p, a, b));
	for (size_t core = 0; core < matrix.cores.count; core++) {
		for (size_t i = 0; i < count; i++)
			if (add_entry(&p, core, &i, 1, NULL, err) < 0)
				return -1;
		if (add_pairs(&p, core, err) < 0 || add_listed_stacks(&p, core, err) < 0 ||
			add_stacks(&p, core, err) < 0)
			return -1;
	}
	if (matrix.count)
		qsort(matrix.list, matrix.count, sizeof(*matrix.list), compare_entries);
	*ret_matrix = matrix;
	matrix = MATRIX_INIT;
	return 0;
}

const struct matrix_entry *matrix_find(const struct matrix *matrix, const char *id)
{
	for (size_t i = 0; i < matrix->count; i++)
		if (!strcmp(matrix->list[i].id, id))
			return &matrix->list[i];
	return NULL;
}

void matrix_release(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->count; i++) {
		struct matrix_entry *entry = &matrix->list[i];

		free(entry->id);
		string_array_release(&entry->skills);
		string_array_release(&entry->order);
		for (size_t k = 0; k < entry->reason_count; k++) {
			struct matrix_reason *reason = &entry->reasons[k];

			string_array_release(&reason->skills);
			matrix_overlaps_release(&reason->overlap);
			free(reason->text);
		}
		free(entry->reasons);
	}
	free(matrix->list);
	package_list_release(&matrix->packages);
	matrix_cores_release(&matrix->cores);
	string_array_release(&matrix->notes);
	free(matrix->setup);
}
