/*
 * A package and the other packages: dependencies, conflicts, added files.
 */
#include <string.h>

#include "engine/author/check_parts.h"

#define NOT_KNOWN ((size_t)-1)

static size_t find_known(const struct check_context *context, const char *skill)
{
	for (size_t i = 0; i < context->known_count; i++)
		if (!strcmp(context->known[i]->manifest.skill, skill))
			return i;
	return NOT_KNOWN;
}

/* --- dependencies ------------------------------------------------------------ */

/* Which known packages can be reached by `depends`, and from where. */
struct reach {
	bool *seen;
	size_t *from; /* NOT_KNOWN: from the package that it began with */
};

static void reach_release(struct reach *reach)
{
	free(reach->seen);
	free(reach->from);
}

/* As deep as there are packages, since each is entered once. */
static void follow(const struct check_context *context, const struct manifest *manifest,
	size_t from, struct reach *reach)
{
	for (size_t i = 0; i < manifest->depends.count; i++) {
		size_t to = find_known(context, manifest->depends.list[i].skill);

		if (to == NOT_KNOWN || reach->seen[to])
			continue;
		reach->seen[to] = true;
		reach->from[to] = from;
		follow(context, &context->known[to]->manifest, to, reach);
	}
}

static struct reach reach_from(
	const struct check_context *context, const struct package *package)
{
	struct reach reach = {
		.seen = xcalloc(context->known_count + 1, sizeof(bool)),
		.from = xcalloc(context->known_count + 1, sizeof(size_t)),
	};

	follow(context, &package->manifest, NOT_KNOWN, &reach);
	return reach;
}

bool check_dependency_adds(const struct check_context *context, const struct package *package,
	const struct relpath *path)
{
	CLEANUP(reach_release) struct reach reach = reach_from(context, package);
	const struct manifest_references *depends = &package->manifest.depends;

	for (size_t i = 0; i < context->known_count; i++)
		if (reach.seen[i] && manifest_adds(&context->known[i]->manifest, path))
			return true;
	/* An applied skill whose package is gone: the state knows its files. */
	for (size_t i = 0; i < depends->count; i++) {
		const struct applied_skill *applied =
			state_find(&context->skills.state, depends->list[i].skill);
		const struct yaml_node *files = applied ? state_files_of(applied) : NULL;

		if (files && yaml_find(files, relpath_view(path)))
			return true;
	}
	return false;
}

/* "a -> b -> a", for the package that can be reached from itself. */
static char *describe_cycle(
	const struct check_context *context, size_t self, const struct reach *reach)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *tail = xstrdup(context->known[self]->manifest.skill);

	for (size_t at = reach->from[self]; at != NOT_KNOWN; at = reach->from[at]) {
		char *longer = xasprintf("%s -> %s", context->known[at]->manifest.skill, tail);

		free(tail);
		tail = longer;
	}
	buf_appendf(&text, "%s -> %s", context->known[self]->manifest.skill, tail);
	return buf_take(&text);
}

static void check_cycle(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;
	CLEANUP(reach_release) struct reach reach = reach_from(context, package);
	CLEANUP(freep) char *cycle = NULL;
	size_t self = manifest->skill ? find_known(context, manifest->skill) : NOT_KNOWN;

	/* That it depends on itself directly was said when it was read. */
	if (self == NOT_KNOWN || !reach.seen[self] || reach.from[self] == NOT_KNOWN)
		return;
	cycle = describe_cycle(context, self, &reach);
	check_fault(faults, FAULT_ERROR, manifest->depends.list[0].at,
		"the skill depends on itself by way of others: %s", cycle);
}

static void check_depends(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest_references *depends = &package->manifest.depends;

	for (size_t i = 0; i < depends->count; i++) {
		const char *skill = depends->list[i].skill;

		if (find_known(context, skill) == NOT_KNOWN &&
			!state_find(&context->skills.state, skill))
			check_fault(faults, FAULT_ERROR, depends->list[i].at,
				"the skill depends on '%s', which is neither applied nor among "
				"the packages",
				skill);
	}
	check_cycle(context, package, faults);
}

/* --- conflicts --------------------------------------------------------------- */

static void check_conflicts(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest *manifest = &package->manifest;

	for (size_t i = 0; i < manifest->conflicts.count; i++) {
		size_t other = find_known(context, manifest->conflicts.list[i].skill);

		if (other != NOT_KNOWN && manifest->skill &&
			!manifest_conflicts_with(
				&context->known[other]->manifest, manifest->skill))
			check_fault(faults, FAULT_WARNING, manifest->conflicts.list[i].at,
				"the conflict with '%s' is one-sided: '%s' does not list it",
				manifest->conflicts.list[i].skill,
				context->known[other]->folder);
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

/* --- files and names --------------------------------------------------------- */

static bool is_other_skill(const struct package *package, const struct package *other)
{
	return !package->manifest.skill ||
	       strcmp(package->manifest.skill, other->manifest.skill) != 0;
}

static bool exclude_each_other(const struct manifest *a, const struct manifest *b)
{
	return manifest_conflicts_with(a, b->skill) ||
	       (a->skill && manifest_conflicts_with(b, a->skill));
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

/* Two skills that never meet may bring the same file. */
static void check_adds(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const struct manifest_paths *adds = &package->manifest.adds;

	for (size_t i = 0; i < adds->count; i++)
		for (size_t k = 0; k < context->known_count; k++) {
			const struct package *other = context->known[k];
			CLEANUP(freep) char *shown = NULL;

			if (!is_other_skill(package, other) ||
				exclude_each_other(&package->manifest, &other->manifest) ||
				!manifest_adds(&other->manifest, &adds->list[i].path))
				continue;
			shown = relpath_quote(&adds->list[i].path);
			check_fault(faults, FAULT_ERROR, adds->list[i].at,
				"%s is added by the skill '%s' too, and the two do not list "
				"each other in 'conflicts'",
				shown, other->manifest.skill);
		}
}

static void check_name(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	const char *skill = package->manifest.skill;

	for (size_t i = 0; i < context->known_count && skill; i++)
		if (!strcmp(context->known[i]->manifest.skill, skill) &&
			strcmp(context->known[i]->folder, package->folder) != 0) {
			struct yaml_place at =
				yaml_get(package->manifest.doc->root, "skill")->at;

			check_fault(faults, FAULT_WARNING, at, "'%s' has the same name",
				context->known[i]->folder);
		}
}

void check_against_others(const struct check_context *context, const struct package *package,
	struct faults *faults)
{
	check_name(context, package, faults);
	check_depends(context, package, faults);
	check_conflicts(context, package, faults);
	check_adds(context, package, faults);
}
