#include "engine/newcore/core_renames.h"

#include <stdlib.h>
#include <string.h>

#include "engine/patch/rename.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_candidate(struct rename_files *files, const struct core_file *file)
{
	rename_files_add(files, (struct rename_file){
					.path = &file->path,
					.id = {(const char *)file->file.hash.bytes, HASH_SIZE},
					.link = file->file.kind != TX_FILE,
					.owner = file,
				});
}

/* Names in `before` that no file comes from, and files that come from nowhere. */
static void find_candidates(const struct core_tree *before, const struct core_tree *after,
	struct rename_files *old, struct rename_files *new)
{
	CLEANUP(freep) const char **used = xcalloc(after->count + 1, sizeof(*used));
	size_t count = 0;

	for (size_t i = 0; i < after->count; i++) {
		if (after->list[i].from.text)
			used[count++] = after->list[i].from.text;
		else
			add_candidate(new, &after->list[i]);
	}
	qsort(used, count, sizeof(*used), by_text);
	for (size_t i = 0; i < before->count; i++) {
		const char *path = before->list[i].path.text;

		if (!bsearch(&path, used, count, sizeof(*used), by_text))
			add_candidate(old, &before->list[i]);
	}
}

static int set_sizes(struct rename_files *files, struct core_reader *reader, struct error *err)
{
	for (size_t i = 0; i < files->count; i++) {
		struct rename_file *file = &files->list[i];
		const struct core_file *owner = file->owner;

		if (!file->link && core_reader_size(reader, owner->place, &file->size, err) < 0)
			return -1;
		file->by_name = file->size < CORE_RENAMES_TINY;
	}
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

	find_candidates(before, after, &old, &new);
	if (!old.count || !new.count)
		return 0;
	if (set_sizes(&old, reader, err) < 0 || set_sizes(&new, reader, err) < 0 ||
		renames_find(&old, &new, read_candidate, reader, err) < 0)
		return -1;
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
