/* From one core to the next: which file comes from which, and the old names of files. */
#include <stdlib.h>
#include <string.h>

#include "engine/newcore/core_source.h"
#include "engine/newcore/internal.h"
#include "engine/patch/rename.h"

void core_lineage_match(const struct core_source *source, struct core_tree *after)
{
	for (size_t i = 0; i < after->count; i++)
		if (core_tree_find(&source->files, &after->list[i].path))
			after->list[i].from = relpath_copy(&after->list[i].path);
}

/* --- declared names -------------------------------------------------------------- */

static int refuse_entry(const struct core_map_entry *entry, const struct relpath *path,
	const char *name, const char *what, struct error *err)
{
	CLEANUP(freep) char *shown = relpath_quote(path);

	return error_set(err, ERROR_INVALID, "%s:%zu:%zu: 'path_remap': %s %s", name,
		entry->at.line, entry->at.column, shown, what);
}

static bool comes_from(const struct core_tree *after, const struct relpath *path)
{
	for (size_t i = 0; i < after->count; i++)
		if (after->list[i].from.text && !relpath_compare(&after->list[i].from, path))
			return true;
	return false;
}

/* If an old name leads to a new file, that file comes from the old one. */
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

/* --- renames found by content ---------------------------------------------------- */

static int add_candidate(struct rename_files *files, const struct core_file *file,
	struct core_reader *reader, struct error *err)
{
	bool link = file->file.kind != TX_FILE;
	size_t size = 0;

	if (!link && core_reader_size(reader, file->place, &size, err) < 0)
		return -1;
	rename_files_add(files, (struct rename_file){
					.path = &file->path,
					.id = {(const char *)file->file.hash.bytes, HASH_SIZE},
					.link = link,
					.size = size,
					.by_name = size < CORE_RENAMES_TINY,
					.owner = file,
				});
	return 0;
}

static int read_candidate(
	const struct rename_file *file, void *reader, struct buf *out, struct error *err)
{
	CLEANUP(tx_file_release) struct tx_file content = TX_FILE_INIT;

	if (core_reader_read_checked(reader, file->owner, &content, err) < 0)
		return -1;
	buf_append(out, content.content.data, content.content.len);
	return 0;
}

int core_renames_find(const struct core_tree *before, struct core_tree *after,
	struct core_reader *reader, struct error *err)
{
	CLEANUP(rename_files_release) struct rename_files old = {0};
	CLEANUP(rename_files_release) struct rename_files new = {0};
	size_t count;
	CLEANUP(freep) const char **used = core_tree_origins(after, &count);

	for (size_t i = 0; i < after->count && count < after->count; i++)
		if (!after->list[i].from.text &&
			add_candidate(&new, &after->list[i], reader, err) < 0)
			return -1;
	for (size_t i = 0; i < before->count && new.count; i++)
		if (!core_names_have(used, count, before->list[i].path.text) &&
			add_candidate(&old, &before->list[i], reader, err) < 0)
			return -1;
	if (!old.count || renames_find(&old, &new, read_candidate, reader, err) < 0)
		return old.count ? -1 : 0;
	for (size_t i = 0; i < new.count; i++) {
		const struct core_file *owner = new.list[i].owner;
		struct core_file *file = &after->list[owner - after->list];

		if (!new.list[i].from)
			continue;
		file->from = relpath_copy(new.list[i].from->path);
		file->found = true;
	}
	return 0;
}

/* --- old names ------------------------------------------------------------------- */

/* Keep an old name if it leads to a file, and is not the name of one. */
static void add_useful_move(struct core_moves *moves, const struct core_rename *move,
	const struct relpath *to, bool found, const struct core_tree *after,
	const struct core_tree *packages)
{
	if (!core_tree_find(after, &move->from) &&
		(core_tree_find(after, to) || core_tree_find(packages, to)))
		core_moves_add(moves, &move->from, to, found);
}

/* Older names lead to the newest name. */
static void join_moves(struct core_moves *older, const struct core_moves *step,
	const struct core_tree *after, const struct core_tree *packages)
{
	struct core_moves joined = {0};

	for (size_t i = 0; i < older->count; i++) {
		const struct core_rename *move = &older->list[i];
		const struct core_rename *next = core_moves_find(step, &move->to);

		if (!core_moves_find(step, &move->from))
			add_useful_move(&joined, move, next ? &next->to : &move->to,
				move->found || (next && next->found), after, packages);
	}
	for (size_t i = 0; i < step->count; i++)
		add_useful_move(&joined, &step->list[i], &step->list[i].to, step->list[i].found,
			after, packages);
	core_moves_release(older);
	*older = joined;
	core_moves_sort(older);
}

/* --- a step ---------------------------------------------------------------------- */

int core_lineage_step(struct core_source *source, struct core_tree *after,
	const struct core_map *map, const char *name, struct error *err)
{
	CLEANUP(core_moves_release) struct core_moves moves = {0};
	size_t renamed;

	for (size_t i = 0; i < map->count; i++) {
		const struct core_map_entry *entry = &map->list[i];
		const struct relpath *end = core_map_end(map, entry);

		if (core_tree_find(after, &entry->from))
			return refuse_entry(entry, &entry->from, name,
				"is a file of the new core, and cannot lead to another", err);
		if (!core_tree_find(after, end) && !core_tree_find(&source->packages, end))
			return refuse_entry(
				entry, end, name, "is not a file of the new core", err);
	}
	follow_map(&source->files, after, map);
	if (core_renames_find(&source->files, after, source->reader, err) < 0)
		return -1;
	/* The old names of this step: renames first, because a map may repeat them. */
	core_tree_moves(after, &moves);
	renamed = moves.count;
	for (size_t i = 0; i < map->count; i++) {
		struct core_moves renames = {moves.list, renamed, renamed};

		if (!core_moves_find(&renames, &map->list[i].from))
			core_moves_add(&moves, &map->list[i].from,
				core_map_end(map, &map->list[i]), false);
	}
	core_moves_sort(&moves);
	join_moves(&source->remap, &moves, after, &source->packages);
	/* From names in the core before to names in the base. */
	for (size_t i = 0; i < after->count; i++) {
		struct core_file *file = &after->list[i];
		const struct core_file *old;

		if (!file->from.text)
			continue;
		old = core_tree_find(&source->files, &file->from);
		relpath_release(&file->from);
		file->from = old->from.text ? relpath_copy(&old->from) : RELPATH_INIT;
		file->found = old->from.text && (file->found || old->found);
	}
	core_tree_release(&source->files);
	source->files = *after;
	*after = CORE_TREE_INIT;
	return 0;
}
