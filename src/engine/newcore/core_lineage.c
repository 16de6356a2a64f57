#include "engine/newcore/core_lineage.h"

#include <stdlib.h>
#include <string.h>

#include "engine/newcore/core_renames.h"

void core_lineage_begin(struct core_lineage *lineage, struct core_tree *base)
{
	lineage->now = *base;
	*base = CORE_TREE_INIT;
	for (size_t i = 0; i < lineage->now.count; i++)
		lineage->now.list[i].from = relpath_copy(&lineage->now.list[i].path);
}

void core_lineage_match(const struct core_lineage *lineage, struct core_tree *after)
{
	for (size_t i = 0; i < after->count; i++)
		if (core_tree_find(&lineage->now, &after->list[i].path))
			after->list[i].from = relpath_copy(&after->list[i].path);
}

/* --- declared names -------------------------------------------------------------- */

static int refuse(const struct core_map_entry *entry, const struct relpath *path,
	const char *name, const char *what, struct error *err)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	return error_set(err, ERROR_INVALID, "%s:%zu:%zu: 'path_remap': %s %s", name,
		entry->at.line, entry->at.column, shown, what);
}

static int check_map(const struct core_tree *after, const struct core_tree *others,
	const struct core_map *map, const char *name, struct error *err)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct core_map_entry *entry = &map->list[i];
		const struct relpath *end = core_map_end(map, entry);

		if (core_tree_find(after, &entry->from))
			return refuse(entry, &entry->from, name,
				"is a file of the new core, and cannot lead to another", err);
		if (!core_tree_find(after, end) && !core_tree_find(others, end))
			return refuse(entry, end, name, "is no file of the new core", err);
	}
	return 0;
}

static bool comes_from(const struct core_tree *after, const struct relpath *path)
{
	for (size_t i = 0; i < after->count; i++)
		if (after->list[i].from.text && !relpath_compare(&after->list[i].from, path))
			return true;
	return false;
}

/* Where the file that an old name leads to is new, it is the old one. */
static void follow_map(
	const struct core_tree *before, struct core_tree *after, const struct core_map *map)
{
	for (size_t i = 0; i < map->count; i++) {
		const struct core_map_entry *entry = &map->list[i];
		struct core_file *file = core_tree_find(after, core_map_end(map, entry));

		if (file && !file->from.text && core_tree_find(before, &entry->from) &&
			!comes_from(after, &entry->from))
			file->from = relpath_copy(&entry->from);
	}
}

/* --- old names ------------------------------------------------------------------- */

static int by_from(const void *a, const void *b)
{
	const struct core_rename *x = a, *y = b;

	return relpath_compare(&x->from, &y->from);
}

static void core_rename_release(struct core_rename *move)
{
	relpath_release(&move->from);
	relpath_release(&move->to);
}

void core_moves_release(struct core_moves *moves)
{
	for (size_t i = 0; i < moves->count; i++)
		core_rename_release(&moves->list[i]);
	free(moves->list);
}

static void add_move(struct core_moves *moves, const struct relpath *from,
	const struct relpath *to, bool found)
{
	GROW(moves->list, moves->count, moves->cap);
	moves->list[moves->count++] =
		(struct core_rename){relpath_copy(from), relpath_copy(to), found};
}

static void sort_moves(struct core_moves *moves)
{
	if (moves->count)
		qsort(moves->list, moves->count, sizeof(*moves->list), by_from);
}

static const struct core_rename *find_move(
	const struct core_moves *moves, const struct relpath *from)
{
	struct core_rename key = {.from = *from};

	return moves->count
		       ? bsearch(&key, moves->list, moves->count, sizeof(*moves->list), by_from)
		       : NULL;
}

/* What this step says of names: renames first, since a map may repeat them. */
static void moves_of_step(
	const struct core_tree *after, const struct core_map *map, struct core_moves *moves)
{
	for (size_t i = 0; i < after->count; i++) {
		const struct core_file *file = &after->list[i];

		if (file->from.text && relpath_compare(&file->from, &file->path) != 0)
			add_move(moves, &file->from, &file->path, file->found);
	}
	sort_moves(moves);
	for (size_t i = 0, count = moves->count; i < map->count; i++) {
		struct core_moves renames = {moves->list, count, count};

		if (!find_move(&renames, &map->list[i].from))
			add_move(moves, &map->list[i].from, core_map_end(map, &map->list[i]),
				false);
	}
	sort_moves(moves);
}

/* Does the name still lead to a file, and is it one that no file has? */
static bool is_useful(const struct core_rename *move, const struct core_tree *after,
	const struct core_tree *others)
{
	return !core_tree_find(after, &move->from) &&
	       (core_tree_find(after, &move->to) || core_tree_find(others, &move->to));
}

/* Older names go on from where they led to. */
static void join_moves(struct core_moves *older, struct core_moves *step,
	const struct core_tree *after, const struct core_tree *others)
{
	struct core_moves joined = {0};

	for (size_t i = 0; i < older->count; i++) {
		const struct core_rename *move = &older->list[i];
		const struct core_rename *next = find_move(step, &move->to);

		if (!find_move(step, &move->from))
			add_move(&joined, &move->from, next ? &next->to : &move->to,
				move->found || (next && next->found));
	}
	for (size_t i = 0; i < step->count; i++)
		add_move(&joined, &step->list[i].from, &step->list[i].to, step->list[i].found);
	core_moves_release(older);
	*older = (struct core_moves){0};
	for (size_t i = 0; i < joined.count; i++)
		if (is_useful(&joined.list[i], after, others))
			add_move(older, &joined.list[i].from, &joined.list[i].to,
				joined.list[i].found);
	core_moves_release(&joined);
	sort_moves(older);
}

/* --- a step ---------------------------------------------------------------------- */

/* From names in the core before to names in the base. */
static void trace_back(const struct core_tree *before, struct core_tree *after)
{
	for (size_t i = 0; i < after->count; i++) {
		struct core_file *file = &after->list[i];
		const struct core_file *old;

		if (!file->from.text)
			continue;
		old = core_tree_find(before, &file->from);
		relpath_release(&file->from);
		file->from = old->from.text ? relpath_copy(&old->from) : RELPATH_INIT;
		file->found = old->from.text && (file->found || old->found);
	}
}

int core_lineage_step(struct core_lineage *lineage, struct core_tree *after,
	const struct core_tree *others, const struct core_map *map, const char *name,
	struct core_reader *reader, struct error *err)
{
	CLEANUP(core_moves_release) struct core_moves moves = {0};

	if (check_map(after, others, map, name, err) < 0)
		return -1;
	follow_map(&lineage->now, after, map);
	if (core_renames_find(&lineage->now, after, reader, err) < 0)
		return -1;
	moves_of_step(after, map, &moves);
	join_moves(&lineage->moves, &moves, after, others);
	trace_back(&lineage->now, after);
	core_tree_release(&lineage->now);
	lineage->now = *after;
	*after = CORE_TREE_INIT;
	return 0;
}

void core_lineage_release(struct core_lineage *lineage)
{
	core_tree_release(&lineage->now);
	core_moves_release(&lineage->moves);
}
