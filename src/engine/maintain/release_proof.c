/*
 * Installations of the old version take the update package of a release: without skills; with
 * each skill of the old version and its dependencies; with the combinations of the matrix; and
 * with all skills together that need no resolution. The outcome is compared with the new core
 * to which the same skills are applied.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/commit/install_manager.h"
#include "engine/core/base.h"
#include "engine/core/base_sums.h"
#include "engine/maintain/copies.h"
#include "engine/maintain/internal.h"
#include "engine/maintain/matrix_list.h"

#include "engine/operation/apply.h"
#include "engine/state/state.h"
#include "engine/update/core_update.h"
#include "fs/beneath.h"
#include "fs/tree.h"

#define SHOWN_FILES 5

struct proof {
	struct release *release;
	char *package; /* the path of the update package */
	struct package_list packages;
	struct string_array together; /* skills that took it alone, without a conflict */
	size_t installations;
	size_t combinations; /* of several skills that were tried */
};

static void proof_release(struct proof *p)
{
	free(p->package);
	package_list_release(&p->packages);
	string_array_release(&p->together);
}

static struct operation_options proof_options(const struct release *r)
{
	return (struct operation_options){
		.allow_commands = true,
		.on_drift = ON_DRIFT_CONTINUE,
		.no_install = r->request->matrix.no_install,
		.test_seconds = r->request->matrix.test_seconds,
	};
}

/* --- installations --- */

/* An installation of the old version, without skills. */
static int install_old(struct proof *p, struct project *ret_project, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(freep) char *name = xasprintf("installation-%zu", p->installations++);

	if (release_interrupted(err) < 0 ||
		release_copy(r, &r->old, name, ret_project, err) < 0)
		return -1;
	return matrix_core_init(ret_project, r->result->from, err);
}

/* The installation that was tried, and what it was compared with: a core may be large. */
static void drop_copies(const struct proof *p)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(freep) char *installation = xasprintf("installation-%zu", p->installations - 1);
	CLEANUP(freep) char *expected = xasprintf("expected-%zu", p->installations);

	if (p->release->request->matrix.keep)
		return;
	/* Anything that cannot be removed now is removed with the folder of all copies. */
	tree_remove(p->release->scratch.fd, installation, &ignored);
	error_clear(&ignored);
	tree_remove(p->release->scratch.fd, expected, &ignored);
}

/* Apply skills by the folders of their packages in that project, without tests. */
static int apply_by_folder(struct release *r, struct project *project,
	const struct string_array *skills, bool dry_run, struct operation_result *result,
	struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(string_array_release) struct string_array folders = {0};
	struct operation_options options = proof_options(r);

	options.no_test = true;
	options.dry_run = dry_run;
	if (package_list_read(project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < skills->count; i++) {
		const struct package *package = package_list_find(&packages, skills->list[i]);

		if (!package)
			return error_set(err, ERROR_INVALID, "the package of '%s' is gone",
				skills->list[i]);
		string_array_addf(&folders, "%s/%s", project->path, package->folder);
	}
	return apply_skills(project, APPLY_OPERATION, (const char *const *)folders.list,
		folders.count, &options, result, err);
}

/* Apply skills there, if there is no conflict. */
static int add_skills(struct proof *p, struct project *installation,
	const struct string_array *skills, bool *ret_fits, struct error *err)
{
	CLEANUP(operation_result_release) struct operation_result tried = OPERATION_RESULT_INIT;
	CLEANUP(operation_result_release) struct operation_result done = OPERATION_RESULT_INIT;
	CLEANUP(error_release) struct error unfit = ERROR_INIT;

	*ret_fits =
		apply_by_folder(p->release, installation, skills, true, &tried, &unfit) == 0 &&
		!tried.conflict_count;
	return *ret_fits ? apply_by_folder(p->release, installation, skills, false, &done, err)
			 : 0;
}

/* --- the outcome --- */

static int sum_file(const struct base_entry *entry, void *data, struct error *err)
{
	struct base_sums *sums = data;
	struct base_sum sum = {.path = xstrdup(entry->path)};

	GROW(sums->list, sums->count, sums->cap);
	sums->list[sums->count++] = sum;
	return layer_file_at(entry->dirfd, entry->name, entry->is_symlink,
		&sums->list[sums->count - 1].file, err);
}

static int compare_sums(const void *a, const void *b)
{
	return strcmp(((const struct base_sum *)a)->path, ((const struct base_sum *)b)->path);
}

static int list_files(
	const struct project *project, struct base_sums *ret_sums, struct error *err)
{
	if (base_for_each(project->root, sum_file, ret_sums, err) < 0)
		return -1;
	if (ret_sums->count)
		qsort(ret_sums->list, ret_sums->count, sizeof(*ret_sums->list), compare_sums);
	return 0;
}

/* The new core, with the skills that the installation has now. */
static int make_expected(struct proof *p, const struct project *installation,
	struct project *ret_project, bool *ret_fits, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(operation_result_release) struct operation_result done = OPERATION_RESULT_INIT;
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(freep) char *name = xasprintf("expected-%zu", p->installations);
	bool found;

	if (state_load(installation, &state, &found, err) < 0 ||
		release_copy(r, &r->new, name, ret_project, err) < 0 ||
		matrix_core_init(ret_project, r->result->to, err) < 0)
		return -1;
	for (size_t i = 0; i < state.skill_count; i++)
		string_array_add(&skills, state.skills[i].name);
	*ret_fits = !skills.count ||
		    (apply_by_folder(r, ret_project, &skills, false, &done, &unfit) == 0 &&
			    !done.conflict_count);
	return 0;
}

/* A package manager writes its lockfile by what was installed before: that is not our doing. */
static void set_locks_apart(struct release *r, const char *shown,
	const struct project *installation, struct string_array *paths)
{
	CLEANUP(error_release) struct error none = ERROR_INIT;
	CLEANUP(buf_release) struct buf manifest = BUF_INIT;
	size_t kept = 0;

	beneath_path_read(
		installation->root, INSTALL_MANIFEST, TRANSACTION_MAX_FILE, &manifest, &none);
	for (size_t i = 0; i < paths->count; i++) {
		char *path = paths->list[i];

		if (!install_writes(installation, view_of_buf(&manifest), path)) {
			paths->list[kept++] = path;
			continue;
		}
		string_array_addf(&r->result->notes,
			"%s: the package manager wrote another '%s' than in a new installation; "
			"it is not counted",
			shown, path);
		free(path);
	}
	paths->count = kept;
	if (paths->list)
		paths->list[kept] = NULL;
}

static int compare_with_new(struct proof *p, const char *shown,
	const struct project *installation, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(project_release) struct project expected = PROJECT_INIT;
	CLEANUP(base_sums_release) struct base_sums is = BASE_SUMS_INIT;
	CLEANUP(base_sums_release) struct base_sums wanted = BASE_SUMS_INIT;
	CLEANUP(string_array_release) struct string_array paths = {0};
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	bool fits;

	/* Packages that do not fit the new core yet would only be named once more. */
	if (r->stale.count)
		return 0;
	if (make_expected(p, installation, &expected, &fits, err) < 0)
		return -1;
	if (!fits) {
		string_array_addf(&r->result->notes,
			"%s: the update works, but its result could not be compared, since these skills cannot be applied together to the new core",
			shown);
		return 0;
	}
	if (list_files(installation, &is, err) < 0 || list_files(&expected, &wanted, err) < 0)
		return -1;
	for (size_t i = 0; i < is.count; i++) {
		const struct layer_file *other = base_sums_find(&wanted, is.list[i].path);

		if (!other || !layer_file_equal(other, &is.list[i].file))
			string_array_add(&paths, is.list[i].path);
	}
	for (size_t i = 0; i < wanted.count; i++)
		if (!base_sums_find(&is, wanted.list[i].path))
			string_array_add(&paths, wanted.list[i].path);
	if (!r->request->matrix.no_install)
		set_locks_apart(r, shown, installation, &paths);
	if (!paths.count)
		return 0;
	for (size_t i = 0; i < paths.count && i < SHOWN_FILES; i++)
		buf_appendf(&text, "%s'%s'", i ? ", " : "", paths.list[i]);
	if (paths.count > SHOWN_FILES)
		buf_appendf(&text, " and %zu more", paths.count - SHOWN_FILES);
	release_missing(r, RELEASE_UPDATE, xstrdup("nanoclaw release --keep, and compare both"),
		xasprintf("%s: after the update %s %s from the new core with these skills",
			shown, text.data, paths.count > 1 ? "differ" : "differs"));
	return 0;
}

/* --- the update --- */

static char *describe_installation(const struct release *r, const struct string_array *skills)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text, "an installation of %s", r->result->from);
	for (size_t i = 0; i < skills->count; i++)
		buf_appendf(&text, "%s%s", i ? ", " : " with ", skills->list[i]);
	return buf_take(&text);
}

/* `*ret_clean`: no conflict came up, not even one with a known resolution. */
static int update_installation(struct proof *p, const struct string_array *skills,
	struct project *installation, bool *ret_clean, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(operation_result_release) struct operation_result done = OPERATION_RESULT_INIT;
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	CLEANUP(freep) char *shown = describe_installation(r, skills);
	struct operation_options options = proof_options(r);

	*ret_clean = false;
	options.no_test = r->needs_setup;
	if (core_update(installation, p->package, NULL, &options, &done, &failure) < 0) {
		release_missing(r, RELEASE_UPDATE, failure.hint ? xstrdup(failure.hint) : NULL,
			xasprintf("%s: the update fails: %s", shown, failure.message));
		return 0;
	}
	/* Packages that changed under the same version do not reach people. */
	for (size_t i = 0; done.update && i < done.update->kept_packages.count; i++) {
		const char *skill = done.update->kept_packages.list[i];
		const struct package *package = package_list_find(&p->packages, skill);

		release_missing(r, RELEASE_UPDATE,
			xasprintf("raise 'version' in %s/manifest.yaml",
				package ? package->folder : skill),
			xasprintf("the package of '%s' has changed since core %s, and its "
				  "version has not: people keep the old one",
				skill, r->result->from));
	}
	for (size_t i = 0; i < done.conflict_count; i++)
		release_missing(r, RELEASE_UPDATE,
			r->request->matrix.keep
				? xasprintf(
					  "resolve it in %s, 'nanoclaw continue', 'nanoclaw "
					  "resolution record'; then here 'nanoclaw resolution "
					  "import %s/.nanoclaw/resolutions'",
					  installation->path, installation->path)
				: xstrdup("nanoclaw release --keep, and resolve it in the copy "
					  "that is left"),
			xasprintf("%s: the update pauses on a conflict in '%s' "
				  "without a resolution",
				shown, done.conflicts[i].path.text));
	if (done.conflict_count)
		return 0;
	*ret_clean = true;
	for (size_t i = 0; i < done.file_count; i++)
		*ret_clean &= done.files[i].outcome != OUTCOME_RESOLVED;
	return compare_with_new(p, shown, installation, err);
}

/* --- all of them --- */

/* Test the update with these skills, which the old version must accept without a conflict. */
static int prove_with(struct proof *p, const struct string_array *skills, bool *ret_fits,
	bool *ret_clean, struct error *err)
{
	CLEANUP(project_release) struct project installation = PROJECT_INIT;

	*ret_fits = true;
	if (install_old(p, &installation, err) < 0 ||
		(skills->count && add_skills(p, &installation, skills, ret_fits, err) < 0) ||
		(*ret_fits &&
			update_installation(p, skills, &installation, ret_clean, err) < 0))
		return -1;
	drop_copies(p);
	return 0;
}

/*
 * Skills that share a file may each accept the update alone, but not together: a resolution
 * fits only one content of a file. Skills that conflict in the old version already are left
 * out: to have both, a person must have resolved that conflict.
 */
static int prove_combination(
	struct proof *p, const struct string_array *skills, struct error *err)
{
	CLEANUP(freep) char *shown = describe_installation(p->release, skills);
	bool fits, clean;

	if (prove_with(p, skills, &fits, &clean, err) < 0)
		return -1;
	p->combinations += fits;
	if (!fits)
		string_array_addf(&p->release->result->notes,
			"%s: they cannot be applied together there, and were left out", shown);
	return 0;
}

/* The stacks of the maintainers' list whose skills the old version had. */
static int prove_listed(struct proof *p, struct error *err)
{
	CLEANUP(matrix_list_release) struct matrix_list list = MATRIX_LIST_INIT;

	if (matrix_list_read(p->release->project, &list, err) < 0)
		return -1;
	for (size_t i = 0; i < list.stack_count; i++) {
		const struct string_array *stack = &list.stacks[i].skills;
		CLEANUP(string_array_release) struct string_array skills = {0};
		bool known = true;

		for (size_t j = 0; j < stack->count; j++)
			known &= package_list_find(&p->packages, stack->list[j]) != NULL;
		matrix_order(
			&p->packages, (const char *const *)stack->list, stack->count, &skills);
		if (known && prove_combination(p, &skills, err) < 0)
			return -1;
	}
	return 0;
}

/* As many skills as go together; the others are added to `later`. */
static int prove_set(struct proof *p, const struct string_array *left,
	struct string_array *later, struct error *err)
{
	CLEANUP(string_array_release) struct string_array set = {0};
	CLEANUP(project_release) struct project installation = PROJECT_INIT;
	bool fits, clean;

	if (install_old(p, &installation, err) < 0)
		return -1;
	for (size_t i = 0; i < left->count; i++) {
		const char *skill = left->list[i];
		CLEANUP(string_array_release) struct string_array with = {0};

		matrix_order(&p->packages, &skill, 1, &with);
		if (add_skills(p, &installation, &with, &fits, err) < 0)
			return -1;
		string_array_add(fits ? &set : later, skill);
	}
	if (set.count > 1 && update_installation(p, &set, &installation, &clean, err) < 0)
		return -1;
	drop_copies(p);
	return 0;
}

/* The skills that are left make the next installation, until none go together. */
static int prove_together(struct proof *p, struct error *err)
{
	struct string_array left = p->together;
	int failed = 0;

	p->together = (struct string_array){0};
	while (left.count > 1 && !failed) {
		struct string_array later = {0};
		bool none;

		failed = prove_set(p, &left, &later, err);
		none = later.count == left.count;
		string_array_release(&left);
		left = later;
		if (none)
			break;
	}
	string_array_release(&left);
	return failed;
}

static int prove_all(struct release *r, struct error *err)
{
	CLEANUP(proof_release) struct proof p = {.release = r};
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	const struct matrix_request all = {0};
	const struct string_array no_skills = {0};
	bool fits, clean;

	p.package = xasprintf("%s/%s", r->scratch.path, r->result->package);
	for (size_t i = 0; i < r->file_count; i++)
		if (copy_put(r->scratch.fd, &r->files[i].path, &r->files[i].file, err) < 0)
			return -1;
	if (package_list_read(r->old.root, &p.packages, err) < 0 ||
		prove_with(&p, &no_skills, &fits, &clean, err) < 0)
		return -1;
	for (size_t i = 0; i < p.packages.count; i++) {
		const char *skill = p.packages.list[i].manifest.skill;
		CLEANUP(string_array_release) struct string_array skills = {0};

		clean = false;
		matrix_order(&p.packages, &skill, 1, &skills);
		if (prove_with(&p, &skills, &fits, &clean, err) < 0)
			return -1;
		if (!fits)
			string_array_addf(&r->result->notes,
				"'%s' cannot be applied to core %s, and was left out", skill,
				r->result->from);
		if (clean)
			string_array_add(&p.together, skill);
	}
	/* The pairs and stacks that the packages of the old version make by their overlaps. */
	if (matrix_plan(&r->old, &all, &matrix, err) < 0)
		return -1;
	for (size_t i = 0; i < matrix.count; i++)
		if (matrix.list[i].kind != MATRIX_ALONE &&
			prove_combination(&p, &matrix.list[i].order, err) < 0)
			return -1;
	if (prove_listed(&p, err) < 0)
		return -1;
	if (!r->old_packages)
		string_array_addf(&r->result->notes,
			"the packages of core %s are not known: name the old version as a "
			"folder or a git ref to try the update with skills",
			r->result->from);
	r->result->steps[RELEASE_UPDATE].summary =
		xasprintf("%zu files, tried with %zu skill%s and %zu combination%s of core %s",
			r->file_count, p.packages.count, p.packages.count == 1 ? "" : "s",
			p.combinations, p.combinations == 1 ? "" : "s", r->result->from);
	return prove_together(&p, err);
}

int release_make_update(struct release *r, struct error *err)
{
	struct sys_calls before;
	int failed;

	if (release_build_package(r, err) < 0)
		return -1;
	before = copy_skip_syncs();
	failed = prove_all(r, err);
	sys = before;
	return failed;
}
