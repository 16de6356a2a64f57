#include "engine/author/check.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/author/internal.h"
#include "engine/session/confine.h"

void check_fault(struct faults *faults, enum fault_severity severity, struct yaml_place at,
	const char *format, ...)
{
	CLEANUP(freep) char *where = xasprintf("manifest.yaml:%zu:%zu", at.line, at.column);
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	faults_add(faults, severity, where, "%s", text.data);
}

/* --- known packages --- */

#define NOT_KNOWN   ((size_t)-1)
#define NOT_REACHED ((size_t)-2)

static size_t find_known(const struct check_context *context, const char *skill)
{
	for (size_t i = 0; i < context->known_count; i++)
		if (!strcmp(context->known[i]->manifest.skill, skill))
			return i;
	return NOT_KNOWN;
}

const struct package *check_find(const struct check_context *context, const char *skill)
{
	size_t number = find_known(context, skill);

	return number == NOT_KNOWN ? NULL : context->known[number];
}

/* Add it, unless it has no name or is the folder of a known one. */
static void add_known(struct check_context *context, const struct package *package)
{
	struct stat is, known;

	if (!package->manifest.skill)
		return;
	for (size_t i = 0; i < context->known_count; i++)
		if (!fstat(package->fd, &is) && !fstat(context->known[i]->fd, &known) &&
			is.st_dev == known.st_dev && is.st_ino == known.st_ino)
			return;
	GROW(context->known, context->known_count, context->known_cap);
	context->known[context->known_count++] = package;
}

static bool is_other_skill(const struct package *package, const struct package *other)
{
	return !package->manifest.skill ||
	       strcmp(package->manifest.skill, other->manifest.skill) != 0;
}

const struct package *check_who_adds(const struct check_context *context,
	const struct package *package, const struct relpath *path)
{
	for (size_t i = 0; i < context->known_count; i++)
		if (is_other_skill(package, context->known[i]) &&
			manifest_adds(&context->known[i]->manifest, path))
			return context->known[i];
	return NULL;
}

/* --- dependencies --- */

/* As deep as there are packages, since each is entered once. */
static void follow_depends(const struct check_context *context, const struct manifest *manifest,
	size_t from, size_t *reached)
{
	for (size_t i = 0; i < manifest->depends.count; i++) {
		size_t to = find_known(context, manifest->depends.list[i].skill);

		if (to == NOT_KNOWN || reached[to] != NOT_REACHED)
			continue;
		reached[to] = from;
		follow_depends(context, &context->known[to]->manifest, to, reached);
	}
}

/*
 * For each known package, from which one `depends` leads to it: NOT_KNOWN for the package that
 * it begins with, NOT_REACHED if it does not. To be freed.
 */
static size_t *reach_from(const struct check_context *context, const struct package *package)
{
	size_t *reached = xcalloc(context->known_count + 1, sizeof(*reached));

	for (size_t i = 0; i < context->known_count; i++)
		reached[i] = NOT_REACHED;
	follow_depends(context, &package->manifest, NOT_KNOWN, reached);
	return reached;
}

bool check_dependency_adds(const struct check_context *context, const struct package *package,
	const struct relpath *path)
{
	CLEANUP(freep) size_t *reached = reach_from(context, package);
	const struct manifest_references *depends = &package->manifest.depends;

	for (size_t i = 0; i < context->known_count; i++)
		if (reached[i] != NOT_REACHED &&
			manifest_adds(&context->known[i]->manifest, path))
			return true;
	/* The state lists the files of an applied skill even if its package is gone. */
	for (size_t i = 0; i < depends->count; i++) {
		const struct applied_skill *applied =
			state_find(&context->skills.state, depends->list[i].skill);
		const struct yaml_node *files = applied ? state_files_of(applied) : NULL;

		if (files && yaml_find(files, relpath_view(path)))
			return true;
	}
	return false;
}

static void check_depends(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	const struct manifest_references *depends = &manifest->depends;
	CLEANUP(freep) size_t *reached = reach_from(context, package);
	CLEANUP(freep) char *cycle = NULL;
	size_t self = manifest->skill ? find_known(context, manifest->skill) : NOT_KNOWN;

	for (size_t i = 0; i < depends->count; i++) {
		const char *skill = depends->list[i].skill;

		if (!check_find(context, skill) && !state_find(&context->skills.state, skill))
			check_fault(faults, FAULT_ERROR, depends->list[i].at,
				"the skill depends on '%s', which is neither applied nor among "
				"the packages",
				skill);
	}
	/* If it names itself in `depends`, that is a fault of its manifest. */
	if (self == NOT_KNOWN || reached[self] == NOT_REACHED || reached[self] == NOT_KNOWN)
		return;
	cycle = xstrdup(manifest->skill);
	for (size_t at = reached[self]; at != NOT_KNOWN; at = reached[at]) {
		char *longer = xasprintf("%s -> %s", context->known[at]->manifest.skill, cycle);

		free(cycle);
		cycle = longer;
	}
	check_fault(faults, FAULT_ERROR, depends->list[0].at,
		"the skill depends on itself through others: %s -> %s", manifest->skill, cycle);
}

/* --- other packages --- */

static void check_conflicts(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;

	for (size_t i = 0; i < manifest->conflicts.count && manifest->skill; i++) {
		const struct package *other =
			check_find(context, manifest->conflicts.list[i].skill);

		if (other && !manifest_conflicts_with(&other->manifest, manifest->skill))
			check_fault(faults, FAULT_WARNING, manifest->conflicts.list[i].at,
				"the conflict with '%s' is one-sided: '%s' does not list it",
				manifest->conflicts.list[i].skill, other->folder);
	}
	for (size_t i = 0; i < context->known_count && manifest->skill; i++) {
		const struct manifest *other = &context->known[i]->manifest;

		if (strcmp(other->skill, manifest->skill) != 0 &&
			manifest_conflicts_with(other, manifest->skill) &&
			!manifest_conflicts_with(manifest, other->skill))
			faults_add(faults, FAULT_WARNING, "manifest.yaml",
				"the conflict with '%s' is one-sided: only '%s' lists it",
				other->skill, context->known[i]->folder);
	}
}

/* Skills that exclude each other may add the same file. */
static void check_adds(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;

	for (size_t i = 0; i < manifest->adds.count; i++)
		for (size_t k = 0; k < context->known_count; k++) {
			const struct manifest_path *added = &manifest->adds.list[i];
			const struct manifest *other = &context->known[k]->manifest;
			CLEANUP(freep) char *shown = NULL;

			if (!is_other_skill(package, context->known[k]) ||
				manifest_conflicts_with(manifest, other->skill) ||
				(manifest->skill &&
					manifest_conflicts_with(other, manifest->skill)) ||
				!manifest_adds(other, &added->path))
				continue;
			shown = relpath_quote(&added->path);
			check_fault(faults, FAULT_ERROR, added->at,
				"%s is added by the skill '%s' too, and the two do not list "
				"each other in 'conflicts'",
				shown, other->skill);
		}
}

/* --- all of it --- */

static void check_one(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct yaml_doc *doc = package->manifest.doc;
	const char *skill = package->manifest.skill;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	/* If the manifest cannot be read, all other faults only follow from that. */
	if (!doc || doc->root->kind != YAML_MAPPING)
		return;
	package_check_files(package, faults);
	check_text(package, faults);
	if (manifest_require_system(&package->manifest, &err) < 0)
		check_fault(faults, FAULT_ERROR,
			yaml_get(doc->root, "min_skills_system_version")->at, "%s",
			err.message);
	if (confine_check_manifest(context->project, &package->manifest, faults, &err) < 0)
		faults_add_error(faults, &err);
	if (context->core >= 0)
		check_against_core(context, package, faults);
	for (size_t i = 0; i < context->known_count && skill; i++)
		if (!strcmp(context->known[i]->manifest.skill, skill) &&
			strcmp(context->known[i]->folder, package->folder) != 0)
			check_fault(faults, FAULT_WARNING, yaml_get(doc->root, "skill")->at,
				"'%s' has the same name", context->known[i]->folder);
	check_depends(context, package, faults);
	check_conflicts(context, package, faults);
	check_adds(context, package, faults);
}

static int check_all(struct check_context *context, const char *const *folders, size_t count,
	bool with_core, struct package *packages, struct check_results *results,
	struct error *err)
{
	if (skillset_open(context->project, &context->skills, err) < 0 ||
		(with_core && check_open_core(context, err) < 0))
		return -1;
	for (size_t i = 0; i < count; i++) {
		struct check_result *result = &results->list[results->count++];
		CLEANUP(error_release) struct error unreadable = ERROR_INIT;

		if (package_open(folders[i], &packages[i], &result->faults, &unreadable) < 0) {
			faults_add_error(&result->faults, &unreadable);
			result->folder = package_show_folder(folders[i]);
			continue;
		}
		result->folder = xstrdup(packages[i].folder);
		if (packages[i].manifest.skill)
			result->skill = xstrdup(packages[i].manifest.skill);
		add_known(context, &packages[i]);
	}
	for (size_t i = 0; i < context->skills.packages.count; i++)
		add_known(context, &context->skills.packages.list[i]);
	for (size_t i = 0; i < count; i++)
		if (packages[i].fd >= 0)
			check_one(context, &packages[i], &results->list[i].faults);
	return 0;
}

int check_packages(const struct project *project, const char *const *folders, size_t count,
	bool with_core, struct check_results *ret_results, struct error *err)
{
	struct check_context context = {
		.project = project, .skills = SKILLSET_INIT, .core = -1};
	CLEANUP(freep) struct package *packages = xcalloc(count + 1, sizeof(*packages));
	struct check_results results = {
		.list = xcalloc(count + 1, sizeof(*results.list)),
	};
	int result;

	for (size_t i = 0; i < count; i++)
		packages[i] = PACKAGE_INIT;
	result = check_all(&context, folders, count, with_core, packages, &results, err);
	for (size_t i = 0; i < count; i++)
		package_release(&packages[i]);
	skillset_release(&context.skills);
	closep(&context.core);
	free(context.core_version);
	free(context.known);
	if (result < 0)
		check_results_release(&results);
	else
		*ret_results = results;
	return result;
}

void check_results_release(struct check_results *results)
{
	for (size_t i = 0; i < results->count; i++) {
		free(results->list[i].skill);
		free(results->list[i].folder);
		faults_release(&results->list[i].faults);
	}
	free(results->list);
}
