/*
 * Installations of the old version take the update package of a release: each skill that the
 * old version had, with what it depends on; those that the matrix puts together; and then all
 * of them together that need no resolution. What comes out is compared with the new core to
 * which the same skills are applied.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/core/base.h"
#include "engine/core/base_sums.h"
#include "engine/maintain/matrix_list.h"
#include "engine/maintain/release_parts.h"
#include "engine/operation/apply.h"
#include "engine/state/state.h"
#include "engine/update/core_update.h"
#include "util/string_array.h"
#include "util/sys.h"

#define SHOWN_FILES 5

struct proof {
	struct release *release;
	const char *package; /* the path of the update package */
	struct package_list packages;
	struct string_array together; /* skills that took it alone, without a conflict */
	size_t installations;
	size_t combinations; /* of several skills, that took it or should have */
};

static void proof_release(struct proof *p)
{
	package_list_release(&p->packages);
	string_array_release(&p->together);
}

static struct apply_options options_of(const struct release *r)
{
	return (struct apply_options){
		.on_drift = ON_DRIFT_CONTINUE,
		.no_install = r->request->matrix.no_install,
		.test_seconds = r->request->matrix.test_seconds,
	};
}

/* --- an installation -------------------------------------------------------------- */

static const struct package *find_package(
	const struct package_list *packages, const char *skill)
{
	for (size_t i = 0; i < packages->count; i++)
		if (!strcmp(packages->list[i].manifest.skill, skill))
			return &packages->list[i];
	return NULL;
}

/* Skills and what they depend on, each once, dependencies first. */
static void add_with_depends(const struct package_list *packages, const char *skill,
	size_t depth, struct string_array *skills)
{
	const struct package *package = find_package(packages, skill);

	if (!package || !depth || string_array_has(skills, skill))
		return;
	for (size_t i = 0; i < package->manifest.depends.count; i++)
		add_with_depends(
			packages, package->manifest.depends.list[i].skill, depth - 1, skills);
	if (!string_array_has(skills, skill))
		string_array_add(skills, skill);
}

/* Apply skills by the folders of their packages in that project. */
static int apply(struct release *r, struct project *project, const struct string_array *skills,
	bool dry_run, struct apply_result *result, struct error *err)
{
	CLEANUP(package_list_release) struct package_list packages = {0};
	CLEANUP(string_array_release) struct string_array folders = {0};
	struct apply_options options = options_of(r);

	/* What the old version was tested with is not our business. */
	options.no_test = true;
	options.dry_run = dry_run;
	if (package_list_read(project->root, &packages, err) < 0)
		return -1;
	for (size_t i = 0; i < skills->count; i++) {
		const struct package *package = find_package(&packages, skills->list[i]);
		CLEANUP(freep) char *folder = NULL;

		if (!package)
			return error_set(err, ERROR_INVALID,
				"there is no package of '%s' any more", skills->list[i]);
		folder = xasprintf("%s/%s", project->path, package->folder);
		string_array_add(&folders, folder);
	}
	return apply_skills(project, (const char *const *)folders.list, folders.count, &options,
		result, err);
}

static int init(struct project *project, const char *version, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;

	if (project_lock(project, err) < 0)
		return -1;
	return apply_init(project, version, &result, err);
}

/* An installation of the old version, without skills. */
static int install(struct proof *p, struct project *ret_project, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(freep) char *name = xasprintf("installation-%zu", p->installations++);

	if (release_interrupted(err) < 0 ||
		release_copy(r, &r->old, name, ret_project, err) < 0)
		return -1;
	return init(ret_project, r->result->from, err);
}

/* Apply skills there, if they go with what is there without a conflict. */
static int add_skills(struct proof *p, struct project *installation,
	const struct string_array *skills, bool *ret_fits, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result look = APPLY_RESULT_INIT;
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(error_release) struct error unfit = ERROR_INIT;

	*ret_fits = apply(p->release, installation, skills, true, &look, &unfit) == 0 &&
		    !look.conflict_count;
	return *ret_fits ? apply(p->release, installation, skills, false, &result, err) : 0;
}

/* --- what is expected ------------------------------------------------------------- */

static int list_core(struct release *r, const struct project *project,
	struct base_sums *ret_sums, struct error *err)
{
	CLEANUP(error_release) struct error left = ERROR_INIT;
	struct base_copy_result copied;
	struct scratch copy;
	int failed;

	(void)r;
	if (scratch_make("nanoclaw-files-", &copy, err) < 0)
		return -1;
	failed = base_copy(project->root, copy.fd, NULL, &copied, err) < 0 ||
		 base_sums_collect(copy.fd, ret_sums, err) < 0;
	scratch_remove(&copy, &left);
	return failed ? -1 : 0;
}

static void note_difference(struct buf *text, size_t *count, const char *path)
{
	if (*count < SHOWN_FILES)
		buf_appendf(text, "%s'%s'", *count ? ", " : "", path);
	++*count;
}

/* Paths that only one of them has, or that are not the same; NULL if there are none. */
static char *compare(const struct base_sums *a, const struct base_sums *b)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	size_t count = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct layer_file *other = base_sums_find(b, a->list[i].path);

		if (!other || !layer_file_equal(other, &a->list[i].file))
			note_difference(&text, &count, a->list[i].path);
	}
	for (size_t i = 0; i < b->count; i++)
		if (!base_sums_find(a, b->list[i].path))
			note_difference(&text, &count, b->list[i].path);
	if (count > SHOWN_FILES)
		buf_appendf(&text, " and %zu more", count - SHOWN_FILES);
	return count ? buf_take(&text) : NULL;
}

/* The new core, with the skills that the installation has now. */
static int expect(struct proof *p, const struct project *installation,
	struct project *ret_project, bool *ret_fits, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(state_release) struct state state = STATE_INIT;
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(error_release) struct error unfit = ERROR_INIT;
	CLEANUP(freep) char *name = xasprintf("expected-%zu", p->installations);
	bool found;

	if (state_load(installation, &state, &found, err) < 0 ||
		release_copy(r, &r->new, name, ret_project, err) < 0 ||
		init(ret_project, r->result->to, err) < 0)
		return -1;
	for (size_t i = 0; i < state.skill_count; i++)
		string_array_add(&skills, state.skills[i].name);
	*ret_fits =
		!skills.count || (apply(r, ret_project, &skills, false, &result, &unfit) == 0 &&
					 !result.conflict_count);
	return 0;
}

static int compare_with_new(struct proof *p, const char *shown,
	const struct project *installation, struct error *err)
{
	struct release *r = p->release;
	CLEANUP(project_release) struct project expected = PROJECT_INIT;
	CLEANUP(base_sums_release) struct base_sums is = BASE_SUMS_INIT;
	CLEANUP(base_sums_release) struct base_sums wanted = BASE_SUMS_INIT;
	CLEANUP(freep) char *files = NULL;
	bool fits;

	/* Packages that do not fit the new core yet would only be named once more. */
	if (r->stale.count)
		return 0;
	if (expect(p, installation, &expected, &fits, err) < 0)
		return -1;
	if (!fits) {
		release_note(r,
			"%s: it takes the update, and what comes out could not be "
			"compared, since these skills do not go on the new core together",
			shown);
		return 0;
	}
	if (list_core(r, installation, &is, err) < 0 ||
		list_core(r, &expected, &wanted, err) < 0)
		return -1;
	files = compare(&is, &wanted);
	if (files)
		release_missing(r, RELEASE_UPDATE,
			xstrdup("nanoclaw release --keep, and look at both"),
			"%s: after the update %s %s not what the new core with these skills has",
			shown, files, strstr(files, ", ") ? "are" : "is");
	return 0;
}

/* --- the update ------------------------------------------------------------------- */

static void tell_conflicts(
	struct proof *p, const char *shown, const char *path, const struct apply_result *result)
{
	for (size_t i = 0; i < result->conflict_count; i++)
		release_missing(p->release, RELEASE_UPDATE,
			p->release->request->matrix.keep
				? xasprintf(
					  "settle it in %s, 'nanoclaw continue', 'nanoclaw "
					  "resolution record'; then here 'nanoclaw resolution "
					  "import %s/.nanoclaw/resolutions'",
					  path, path)
				: xstrdup("nanoclaw release --keep, and settle it in the copy "
					  "that is left"),
			"%s: the update pauses on a conflict in '%s' that no resolution settles",
			shown, result->conflicts[i].path.text);
}

static void tell_packages(
	struct proof *p, const struct string_array *kept, const struct package_list *packages)
{
	for (size_t i = 0; i < kept->count; i++) {
		const struct package *package = find_package(packages, kept->list[i]);

		release_missing(p->release, RELEASE_UPDATE,
			xasprintf("raise 'version' in %s/manifest.yaml",
				package ? package->folder : kept->list[i]),
			"the package of '%s' has changed since core %s, and its version has not: "
			"people keep the old one",
			kept->list[i], p->release->result->from);
	}
}

/* `*ret_clean`: it went without a conflict, be it one with a resolution. */
static int update(struct proof *p, const char *shown, struct project *installation,
	bool *ret_clean, struct error *err)
{
	CLEANUP(apply_result_release) struct apply_result result = APPLY_RESULT_INIT;
	CLEANUP(error_release) struct error failure = ERROR_INIT;
	struct apply_options options = options_of(p->release);

	*ret_clean = false;
	options.no_test = p->release->needs_setup;
	if (core_update(installation, p->package, NULL, &options, &result, &failure) < 0) {
		release_missing(p->release, RELEASE_UPDATE,
			failure.hint ? xstrdup(failure.hint) : NULL,
			"%s: it does not take the update: %s", shown, failure.message);
		return 0;
	}
	if (result.update)
		tell_packages(p, &result.update->kept_packages, &p->packages);
	tell_conflicts(p, shown, installation->path, &result);
	if (result.conflict_count)
		return 0;
	*ret_clean = true;
	for (size_t i = 0; i < result.file_count; i++)
		*ret_clean &= result.files[i].outcome != OUTCOME_RESOLVED;
	return compare_with_new(p, shown, installation, err);
}

static char *describe(const struct release *r, const struct string_array *skills)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	buf_appendf(&text, "an installation of %s", r->result->from);
	for (size_t i = 0; i < skills->count; i++)
		buf_appendf(&text, "%s%s", i ? ", " : " with ", skills->list[i]);
	return buf_take(&text);
}

/* --- all of them ------------------------------------------------------------------ */

static int prove_alone(struct proof *p, const char *skill)
{
	struct release *r = p->release;
	CLEANUP(string_array_release) struct string_array skills = {0};
	CLEANUP(project_release) struct project installation = PROJECT_INIT;
	CLEANUP(freep) char *shown = NULL;
	bool fits, clean;

	add_with_depends(&p->packages, skill, p->packages.count + 1, &skills);
	shown = describe(r, &skills);
	if (install(p, &installation, r->err) < 0 ||
		add_skills(p, &installation, &skills, &fits, r->err) < 0)
		return -1;
	if (!fits) {
		release_note(r, "'%s' does not go on core %s, and was left out", skill,
			r->result->from);
		return 0;
	}
	if (update(p, shown, &installation, &clean, r->err) < 0)
		return -1;
	if (clean)
		string_array_add(&p->together, skill);
	return 0;
}

/*
 * Skills that meet in a file may take the update one by one, and not together: a resolution is
 * for the very file of the one. Who has several had to settle it in the old version, too,
 * unless that came with a resolution: those that did not go together there are nobody's.
 */
static int prove_combination(struct proof *p, const struct string_array *skills)
{
	struct release *r = p->release;
	CLEANUP(project_release) struct project installation = PROJECT_INIT;
	CLEANUP(freep) char *shown = describe(r, skills);
	bool fits, clean;

	if (install(p, &installation, r->err) < 0 ||
		add_skills(p, &installation, skills, &fits, r->err) < 0)
		return -1;
	if (!fits) {
		release_note(r, "%s: they do not go together there, and were left out", shown);
		return 0;
	}
	p->combinations++;
	return update(p, shown, &installation, &clean, r->err);
}

/* The pairs and stacks that the packages of the old version make by what they have in common.
 */
static int prove_overlaps(struct proof *p)
{
	const struct release *r = p->release;
	CLEANUP(matrix_release) struct matrix matrix = MATRIX_INIT;
	const struct matrix_request all = {0};

	if (matrix_plan(&r->old, &all, &matrix, r->err) < 0)
		return -1;
	for (size_t i = 0; i < matrix.count; i++)
		if (matrix.list[i].kind != MATRIX_ALONE &&
			prove_combination(p, &matrix.list[i].order) < 0)
			return -1;
	return 0;
}

/* Those of the maintainers' list, as far as the old version had the skills. */
static int prove_listed(struct proof *p)
{
	const struct release *r = p->release;
	CLEANUP(matrix_list_release) struct matrix_list list = MATRIX_LIST_INIT;

	if (matrix_list_read(r->project, &list, r->err) < 0)
		return -1;
	for (size_t i = 0; i < list.stack_count; i++) {
		const struct string_array *stack = &list.stacks[i].skills;
		CLEANUP(string_array_release) struct string_array skills = {0};
		bool known = true;

		for (size_t j = 0; j < stack->count; j++) {
			known &= find_package(&p->packages, stack->list[j]) != NULL;
			add_with_depends(
				&p->packages, stack->list[j], p->packages.count + 1, &skills);
		}
		if (known && prove_combination(p, &skills) < 0)
			return -1;
	}
	return 0;
}

/* As many as go together; the others are added to `later`. */
static int prove_set(
	struct proof *p, const struct string_array *left, struct string_array *later)
{
	struct release *r = p->release;
	CLEANUP(string_array_release) struct string_array set = {0};
	CLEANUP(project_release) struct project installation = PROJECT_INIT;
	CLEANUP(freep) char *shown = NULL;
	bool fits, clean;

	if (install(p, &installation, r->err) < 0)
		return -1;
	for (size_t i = 0; i < left->count; i++) {
		CLEANUP(string_array_release) struct string_array with = {0};

		add_with_depends(&p->packages, left->list[i], p->packages.count + 1, &with);
		if (add_skills(p, &installation, &with, &fits, r->err) < 0)
			return -1;
		string_array_add(fits ? &set : later, left->list[i]);
	}
	shown = describe(r, &set);
	return set.count > 1 ? update(p, shown, &installation, &clean, r->err) : 0;
}

/* Those that are left make the next installation, until nothing goes with anything. */
static int prove_together(struct proof *p)
{
	struct string_array left = p->together;
	int failed = 0;

	p->together = (struct string_array){0};
	while (left.count > 1 && !failed) {
		struct string_array later = {0};
		bool none;

		failed = prove_set(p, &left, &later);
		none = later.count == left.count;
		string_array_release(&left);
		left = later;
		if (none)
			break;
	}
	string_array_release(&left);
	return failed;
}

static int prove_without_skills(struct proof *p)
{
	CLEANUP(string_array_release) struct string_array none = {0};
	CLEANUP(project_release) struct project installation = PROJECT_INIT;
	CLEANUP(freep) char *shown = describe(p->release, &none);
	bool clean;

	if (install(p, &installation, p->release->err) < 0)
		return -1;
	return update(p, shown, &installation, &clean, p->release->err);
}

static int prove_all(struct release *r, const char *package)
{
	CLEANUP(proof_release) struct proof p = {.release = r, .package = package};

	if (package_list_read(r->old.root, &p.packages, r->err) < 0 ||
		prove_without_skills(&p) < 0)
		return -1;
	for (size_t i = 0; i < p.packages.count; i++)
		if (prove_alone(&p, p.packages.list[i].manifest.skill) < 0)
			return -1;
	if (prove_overlaps(&p) < 0 || prove_listed(&p) < 0)
		return -1;
	if (!r->old_packages)
		release_note(r,
			"the packages of core %s are not known: name the old version as "
			"a folder or a git ref to try the update with skills",
			r->result->from);
	release_summary(r, RELEASE_UPDATE,
		"%zu files, tried with %zu skill%s and %zu combination%s of core %s",
		r->files.count, p.packages.count, p.packages.count == 1 ? "" : "s",
		p.combinations, p.combinations == 1 ? "" : "s", r->result->from);
	return prove_together(&p);
}

static int no_sync(int fd)
{
	(void)fd;
	return 0;
}

/* Temporary copies need not survive a power cut. */
int release_prove(struct release *r, const char *package)
{
	const struct sys_calls before = sys;
	int failed;

	sys.sync = no_sync;
	sys.sync_all = no_sync;
	failed = prove_all(r, package);
	sys = before;
	return failed;
}
