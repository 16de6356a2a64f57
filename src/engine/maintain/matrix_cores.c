/* Which cores the matrix is for. */
#include <string.h>

#include "engine/maintain/matrix_parts.h"

static bool is_wanted(const struct planning *p, const char *version)
{
	for (size_t i = 0; i < p->request->core_version_count; i++)
		if (!strcmp(p->request->core_versions[i], version))
			return true;
	return !p->request->core_version_count;
}

static void add_core(
	struct planning *p, enum matrix_core_kind kind, const char *version, const char *source)
{
	if (is_wanted(p, version))
		matrix_cores_add(&p->matrix->cores, kind, xstrdup(version),
			source ? xstrdup(source) : NULL);
}

static int add_listed_cores(struct planning *p, const char *present, struct error *err)
{
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
				"say where it is: {version: %s, from: FOLDER or git ref}",
				core->version);
		}
		add_core(p, core->kind, core->version, core->source);
	}
	return 0;
}

static bool has_core(const struct matrix *matrix, const char *version)
{
	for (size_t i = 0; i < matrix->cores.count; i++)
		if (!strcmp(matrix->cores.list[i].version, version))
			return true;
	return false;
}

/* Those that were asked for, and are not in the list. */
static int add_requested_cores(struct planning *p, struct error *err)
{
	for (size_t i = 0; i < p->request->core_version_count; i++) {
		const char *version = p->request->core_versions[i];

		if (has_core(p->matrix, version))
			continue;
		if (!matrix_core_is_kept(p->project, version)) {
			error_set(err, ERROR_INVALID,
				"core '%s' is neither the present one nor one that is known",
				version);
			return error_hint(err,
				"'cores' in " MATRIX_LIST_FULL " says where earlier ones are");
		}
		add_core(p, MATRIX_CORE_KEPT, version, NULL);
	}
	return 0;
}

int matrix_plan_cores(struct planning *p, struct error *err)
{
	CLEANUP(freep) char *present = NULL;

	if (matrix_core_version(p->project, p->request->core, &present, err) < 0)
		return -1;
	add_core(p, p->request->core ? MATRIX_CORE_SOURCE : MATRIX_CORE_PRESENT, present,
		p->request->core);
	if (p->matrix->cores.count)
		p->matrix->cores.list[0].present = true;
	if (add_listed_cores(p, present, err) < 0)
		return -1;
	return add_requested_cores(p, err);
}
