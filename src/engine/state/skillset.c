#include "engine/state/skillset.h"

#include <stdlib.h>
#include <string.h>

int skillset_open(const struct project *project, struct skillset *ret_skills, struct error *err)
{
	CLEANUP(skillset_release) struct skillset skills = SKILLSET_INIT;

	if (state_load(project, &skills.state, &skills.initialized, err) < 0 ||
		package_list_read(project->root, &skills.packages, err) < 0)
		return -1;
	*ret_skills = skills;
	skills = SKILLSET_INIT;
	return 0;
}

void skillset_release(struct skillset *skills)
{
	package_list_release(&skills->packages);
	state_release(&skills->state);
}

/* --- overlaps ---------------------------------------------------------------- */

/* That a skill touches a path. */
struct touch {
	const char *path;
	const char *skill;
};

struct touches {
	struct touch *list;
	size_t count;
	size_t cap;
};

static void add_touch(struct touches *touches, const char *path, const char *skill)
{
	GROW(touches->list, touches->count, touches->cap);
	touches->list[touches->count++] = (struct touch){path, skill};
}

static void add_paths(
	struct touches *touches, const struct manifest_paths *paths, const char *skill)
{
	for (size_t i = 0; i < paths->count; i++)
		add_touch(touches, paths->list[i].path.text, skill);
}

static int compare_touches(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : strcmp(x->skill, y->skill);
}

/* Sorted, and without duplicates. */
static void gather_touches(const struct skillset *skills, struct touches *touches)
{
	size_t kept = 0;

	for (size_t i = 0; i < skills->packages.count; i++) {
		const struct manifest *manifest = &skills->packages.list[i].manifest;

		add_paths(touches, &manifest->adds, manifest->skill);
		add_paths(touches, &manifest->modifies, manifest->skill);
	}
	for (size_t i = 0; i < skills->state.skill_count; i++) {
		const struct applied_skill *applied = &skills->state.skills[i];
		const struct yaml_node *files = state_files_of(applied);

		for (size_t k = 0; files && k < files->count; k++)
			add_touch(touches, files->entries[k].key.data, applied->name);
	}
	if (touches->count)
		qsort(touches->list, touches->count, sizeof(*touches->list), compare_touches);
	for (size_t i = 0; i < touches->count; i++)
		if (!kept || compare_touches(&touches->list[kept - 1], &touches->list[i]) != 0)
			touches->list[kept++] = touches->list[i];
	touches->count = kept;
}

void skillset_overlaps(const struct skillset *skills, struct overlaps *ret_overlaps)
{
	struct overlaps overlaps = {0};
	struct touches touches = {0};
	size_t next;

	gather_touches(skills, &touches);
	for (size_t i = 0; i < touches.count; i = next) {
		struct overlap overlap = {.path = touches.list[i].path};

		for (next = i + 1; next < touches.count; next++)
			if (strcmp(touches.list[next].path, overlap.path) != 0)
				break;
		if (next - i < 2)
			continue;
		overlap.skills = xcalloc(next - i, sizeof(*overlap.skills));
		for (size_t k = i; k < next; k++)
			overlap.skills[overlap.count++] = touches.list[k].skill;
		GROW(overlaps.list, overlaps.count, overlaps.cap);
		overlaps.list[overlaps.count++] = overlap;
	}
	free(touches.list);
	*ret_overlaps = overlaps;
}

void overlaps_release(struct overlaps *overlaps)
{
	for (size_t i = 0; i < overlaps->count; i++)
		free(overlaps->list[i].skills);
	free(overlaps->list);
}
