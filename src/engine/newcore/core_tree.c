#include "engine/newcore/core_tree.h"

#include <stdlib.h>
#include <string.h>

#include "engine/state/layer.h"

struct core_file *core_tree_add(struct core_tree *tree, struct relpath *path,
	const struct layer_file *file, size_t place)
{
	GROW(tree->list, tree->count, tree->cap);
	tree->list[tree->count] =
		(struct core_file){.path = {TAKE(path->text)}, .file = *file, .place = place};
	return &tree->list[tree->count++];
}

static int compare_files(const void *a, const void *b)
{
	const struct core_file *x = a, *y = b;

	return relpath_compare(&x->path, &y->path);
}

void core_tree_sort(struct core_tree *tree)
{
	if (tree->count)
		qsort(tree->list, tree->count, sizeof(*tree->list), compare_files);
}

size_t core_tree_place_of(const struct core_tree *tree, struct view path)
{
	size_t low = 0, high = tree->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (view_compare(relpath_view(&tree->list[middle].path), path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct core_file *core_tree_find(const struct core_tree *tree, const struct relpath *path)
{
	size_t at = core_tree_place_of(tree, relpath_view(path));

	return at < tree->count && !relpath_compare(&tree->list[at].path, path)
		       ? &tree->list[at]
		       : NULL;
}

void core_tree_copy(const struct core_tree *tree, struct core_tree *ret_copy)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct core_file *file = &tree->list[i];
		struct relpath path = relpath_copy(&file->path);

		core_tree_add(ret_copy, &path, &file->file, file->place)->from =
			relpath_copy(&file->path);
	}
}

void core_tree_insert(struct core_tree *tree, size_t at, const struct core_file *file)
{
	GROW(tree->list, tree->count, tree->cap);
	memmove(&tree->list[at + 1], &tree->list[at], (tree->count - at) * sizeof(*tree->list));
	tree->list[at] = *file;
	tree->count++;
}

void core_tree_drop(struct core_tree *tree, struct core_file *file)
{
	size_t at = (size_t)(file - tree->list);

	core_file_release(file);
	memmove(file, file + 1, (tree->count - at - 1) * sizeof(*file));
	tree->count--;
}

void core_file_release(struct core_file *file)
{
	relpath_release(&file->path);
	relpath_release(&file->from);
}

void core_tree_release(struct core_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++)
		core_file_release(&tree->list[i]);
	free(tree->list);
}

void core_tree_join(struct core_tree *tree, struct core_tree *more)
{
	for (size_t i = 0; i < more->count; i++) {
		GROW(tree->list, tree->count, tree->cap);
		tree->list[tree->count++] = more->list[i];
	}
	more->count = 0;
	core_tree_sort(tree);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char **core_tree_origins(const struct core_tree *tree, size_t *ret_count)
{
	const char **names = xcalloc(tree->count + 1, sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < tree->count; i++)
		if (tree->list[i].from.text)
			names[count++] = tree->list[i].from.text;
	qsort(names, count, sizeof(*names), compare_names);
	*ret_count = count;
	return names;
}

bool core_names_have(const char **names, size_t count, const char *name)
{
	return bsearch(&name, names, count, sizeof(*names), compare_names);
}

/* --- old names ------------------------------------------------------------------- */

static int compare_old_names(const void *a, const void *b)
{
	const struct core_rename *x = a, *y = b;

	return relpath_compare(&x->from, &y->from);
}

void core_moves_add(struct core_moves *moves, const struct relpath *from,
	const struct relpath *to, bool found)
{
	GROW(moves->list, moves->count, moves->cap);
	moves->list[moves->count++] =
		(struct core_rename){relpath_copy(from), relpath_copy(to), found};
}

void core_moves_sort(struct core_moves *moves)
{
	if (moves->count)
		qsort(moves->list, moves->count, sizeof(*moves->list), compare_old_names);
}

const struct core_rename *core_moves_find(
	const struct core_moves *moves, const struct relpath *from)
{
	struct core_rename key = {.from = *from};

	return moves->count ? bsearch(&key, moves->list, moves->count, sizeof(*moves->list),
				      compare_old_names)
			    : NULL;
}

void core_moves_release(struct core_moves *moves)
{
	for (size_t i = 0; i < moves->count; i++) {
		relpath_release(&moves->list[i].from);
		relpath_release(&moves->list[i].to);
	}
	free(moves->list);
}

void core_tree_moves(const struct core_tree *tree, struct core_moves *moves)
{
	for (size_t i = 0; i < tree->count; i++) {
		const struct core_file *file = &tree->list[i];

		if (file->from.text && relpath_compare(&file->from, &file->path) != 0)
			core_moves_add(moves, &file->from, &file->path, file->found);
	}
	core_moves_sort(moves);
}

/* --- checks ---------------------------------------------------------------------- */

int core_path_check(const struct relpath *path, struct error *err)
{
	CLEANUP(freep) char *shown = NULL;

	if (layer_may_record(path))
		return 0;
	shown = relpath_quote(path);
	return error_set(err, ERROR_INVALID,
		"path %s leads into '.git', '.nanoclaw' or '.env', which no update may touch",
		shown);
}

/* A path for sorting: in lower case, and with the slash below every other byte. */
struct folded {
	char *text;
	const struct core_file *file;
};

struct folded_list {
	struct folded *list;
	size_t count;
};

static void folded_release(struct folded_list *folded)
{
	for (size_t i = 0; i < folded->count; i++)
		free(folded->list[i].text);
	free(folded->list);
}

static char *fold_path(const char *path)
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

static int compare_folded(const void *a, const void *b)
{
	const struct folded *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : relpath_compare(&x->file->path, &y->file->path);
}

static int check_folded_pair(const struct folded *first, const struct folded *second,
	const struct core_tree *base, const char *where, struct error *err)
{
	size_t len = strlen(first->text);
	bool same = !strcmp(first->text, second->text);
	CLEANUP(freep) char *shown = NULL;
	CLEANUP(freep) char *other = NULL;

	if (!same && (strncmp(first->text, second->text, len) || second->text[len] != '\1'))
		return 0;
	if (core_tree_find(base, &first->file->path) &&
		core_tree_find(base, &second->file->path))
		return 0;
	shown = relpath_quote(&second->file->path);
	other = relpath_quote(&first->file->path);
	if (same)
		return error_set(err, ERROR_INVALID, "%s: path %s differs from %s only in case",
			where, shown, other);
	return error_set(err, ERROR_INVALID, "%s: path %s is below %s, which is a file", where,
		shown, other);
}

int core_tree_check(const struct core_tree *tree, const struct core_tree *base,
	const char *where, struct error *err)
{
	CLEANUP(folded_release) struct folded_list folded = {0};
	size_t top = 0;

	folded.list = xcalloc(tree->count + 1, sizeof(*folded.list));
	for (; folded.count < tree->count; folded.count++) {
		const struct core_file *file = &tree->list[folded.count];

		folded.list[folded.count] = (struct folded){fold_path(file->path.text), file};
	}
	qsort(folded.list, folded.count, sizeof(*folded.list), compare_folded);
	/* Paths below a path follow it, and so do its equals. */
	for (size_t i = 1; i < folded.count; i++) {
		const struct folded *above = &folded.list[top];
		size_t len = strlen(above->text);

		if (check_folded_pair(above, &folded.list[i], base, where, err) < 0 ||
			check_folded_pair(
				&folded.list[i - 1], &folded.list[i], base, where, err) < 0)
			return -1;
		if (strncmp(above->text, folded.list[i].text, len) ||
			(folded.list[i].text[len] && folded.list[i].text[len] != '\1'))
			top = i;
	}
	return 0;
}
