#include "engine/author/check.h"

#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/author/check_parts.h"

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

static bool is_same_package(const struct package *a, const struct package *b)
{
	struct stat x, y;

	return !fstat(a->fd, &x) && !fstat(b->fd, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

static void add_known(struct check_context *context, const struct package *package)
{
	if (!package->manifest.skill)
		return;
	for (size_t i = 0; i < context->known_count; i++)
		if (is_same_package(context->known[i], package))
			return;
	GROW(context->known, context->known_count, context->known_cap);
	context->known[context->known_count++] = package;
}

static void check_system(const struct package *package, struct faults *faults)
{
	const struct yaml_node *node;
	CLEANUP(error_release) struct error err = ERROR_INIT;

	if (!manifest_require_system(&package->manifest, &err))
		return;
	node = yaml_get(package->manifest.doc->root, "min_skills_system_version");
	check_fault(faults, FAULT_ERROR, node->at, "%s", err.message);
}

static void context_release(struct check_context *context)
{
	skillset_release(&context->skills);
	closep(&context->core);
	free(context->core_version);
	free(context->known);
}

/* The packages under check; `list` has as many as there are folders. */
struct opened {
	struct package *list;
	size_t count;
};

static void opened_release(struct opened *opened)
{
	for (size_t i = 0; i < opened->count; i++)
		package_release(&opened->list[i]);
	free(opened->list);
}

static void open_packages(const char *const *folders, size_t count, struct opened *opened,
	struct check_results *results)
{
	opened->list = xcalloc(count + 1, sizeof(*opened->list));
	results->list = xcalloc(count + 1, sizeof(*results->list));
	for (size_t i = 0; i < count; i++) {
		struct package *package = &opened->list[opened->count++];
		struct check_result *result = &results->list[results->count++];
		CLEANUP(error_release) struct error err = ERROR_INIT;

		*package = PACKAGE_INIT;
		if (package_open(folders[i], package, &result->faults, &err) < 0) {
			faults_add_error(&result->faults, &err);
			result->folder = package_show_folder(folders[i]);
			continue;
		}
		result->folder = xstrdup(package->folder);
		if (package->manifest.skill)
			result->skill = xstrdup(package->manifest.skill);
	}
}

static void check_one(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct yaml_doc *doc = package->manifest.doc;

	/* Of a manifest that cannot be read at all, everything else would follow. */
	if (!doc || doc->root->kind != YAML_MAPPING)
		return;
	package_check_files(package, faults);
	check_system(package, faults);
	if (context->core >= 0)
		check_against_core(context, package, faults);
	check_against_others(context, package, faults);
}

int check_packages(const struct project *project, const char *const *folders, size_t count,
	bool with_core, struct check_results *ret_results, struct error *err)
{
	CLEANUP(check_results_release) struct check_results results = {0};
	CLEANUP(opened_release) struct opened opened = {0};
	CLEANUP(context_release)
	struct check_context context = {
		.project = project, .skills = SKILLSET_INIT, .core = -1};

	if (skillset_open(project, &context.skills, err) < 0 ||
		(with_core && check_open_core(&context, err) < 0))
		return -1;
	open_packages(folders, count, &opened, &results);
	for (size_t i = 0; i < count; i++)
		if (opened.list[i].fd >= 0)
			add_known(&context, &opened.list[i]);
	for (size_t i = 0; i < context.skills.packages.count; i++)
		add_known(&context, &context.skills.packages.list[i]);
	for (size_t i = 0; i < count; i++)
		if (opened.list[i].fd >= 0)
			check_one(&context, &opened.list[i], &results.list[i].faults);
	*ret_results = results;
	results = (struct check_results){0};
	return 0;
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
