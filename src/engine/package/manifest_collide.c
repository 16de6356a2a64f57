/*
 * Paths that cannot be files beside each other: listed twice, the same but for
 * case, or one the folder of another.
 *
 * All paths are sorted by their folded text, with the slash below every other
 * byte. Then equal ones are neighbours, and all that is below a path follows it.
 */
#include <string.h>

#include "engine/package/manifest_parts.h"

struct item {
	const struct manifest_path *path;
	bool is_added;
	char *folded;
};

struct items {
	struct item *list;
	size_t count;
};

static void items_release(struct items *items)
{
	for (size_t i = 0; i < items->count; i++)
		free(items->list[i].folded);
	free(items->list);
}

/*
 * As a file system that ignores the case of ASCII letters sees it. More letters
 * fold on some, but there is no rule for them that all systems share.
 */
static char *fold(const char *path)
{
	char *folded = xstrdup(path);

	for (char *p = folded; *p; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
		else if (*p == '/')
			*p = '\1';
	}
	return folded;
}

static bool is_before(struct yaml_place a, struct yaml_place b)
{
	return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = strcmp(x->folded, y->folded);

	if (order)
		return order;
	return is_before(y->path->at, x->path->at) - is_before(x->path->at, y->path->at);
}

static void gather(struct items *items, const struct manifest_paths *paths, bool are_added)
{
	for (size_t i = 0; i < paths->count; i++)
		items->list[items->count++] = (struct item){
			&paths->list[i], are_added, fold(paths->list[i].path.text)};
}

static void report_same(const struct yaml_doc *doc, const struct item *first,
	const struct item *second, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(&second->path->path);
	CLEANUP(freep) char *other = relpath_quote(&first->path->path);

	if (relpath_compare(&first->path->path, &second->path->path) != 0)
		manifest_fault(faults, FAULT_ERROR, doc, second->path->at,
			"path %s is the same as %s where case does not count", shown, other);
	else if (first->is_added != second->is_added)
		manifest_fault(faults, FAULT_ERROR, doc, second->path->at,
			"path %s is both added and modified (first on line %zu)", shown,
			first->path->at.line);
	else
		manifest_fault(faults, FAULT_ERROR, doc, second->path->at,
			"path %s is listed twice (first on line %zu)", shown,
			first->path->at.line);
}

static bool is_below(const struct item *item, const struct item *folder)
{
	size_t len = strlen(folder->folded);

	return !strncmp(item->folded, folder->folded, len) && item->folded[len] == '\1';
}

static void report_below(const struct yaml_doc *doc, const struct item *folder,
	const struct item *item, struct faults *faults)
{
	CLEANUP(freep) char *shown = relpath_quote(&item->path->path);
	CLEANUP(freep) char *other = relpath_quote(&folder->path->path);

	manifest_fault(faults, FAULT_ERROR, doc, item->path->at,
		"path %s is below %s, which is listed as a file on line %zu", shown, other,
		folder->path->at.line);
}

void manifest_check_collisions(const struct manifest *manifest, struct faults *faults)
{
	CLEANUP(items_release) struct items items = {0};
	const struct item *top = NULL;

	items.list = xcalloc(
		manifest->adds.count + manifest->modifies.count + 1, sizeof(*items.list));
	gather(&items, &manifest->adds, true);
	gather(&items, &manifest->modifies, false);
	qsort(items.list, items.count, sizeof(*items.list), compare_items);
	for (size_t i = 0; i < items.count; i++) {
		const struct item *item = &items.list[i];

		if (top && !strcmp(top->folded, item->folded))
			report_same(manifest->doc, top, item, faults);
		else if (i && !strcmp(items.list[i - 1].folded, item->folded))
			report_same(manifest->doc, &items.list[i - 1], item, faults);
		else if (top && is_below(item, top))
			report_below(manifest->doc, top, item, faults);
		else
			top = item;
	}
}
