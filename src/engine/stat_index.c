#include "engine/stat_index.h"

#include <stdlib.h>
#include <string.h>

#include "util/walk.h"

const char *stat_index_path(const struct stat_index *index, const struct index_entry *entry)
{
	return index->names.data + entry->path;
}

static enum walk_result collect_entry(
	const struct walk_entry *entry, void *data, struct error *err)
{
	struct stat_index *index = data;
	uint32_t flags = 0;

	(void)err;
	if (entry->kind != WALK_FILE && entry->kind != WALK_SYMLINK)
		return WALK_GO_ON;
	if (entry->kind == WALK_SYMLINK)
		flags = INDEX_SYMLINK;
	else if (entry->stat.st_mode & 0100)
		flags = INDEX_EXECUTABLE;
	GROW(index->entries, index->count, index->cap);
	index->entries[index->count++] =
		(struct index_entry){.path = index->names.len, .flags = flags};
	buf_append(&index->names, entry->path, entry->path_len + 1);
	return WALK_GO_ON;
}

static int by_path(const void *a, const void *b, void *data)
{
	const struct stat_index *index = data;

	return strcmp(stat_index_path(index, a), stat_index_path(index, b));
}

int stat_index_collect(struct stat_index *ret_index, int base, struct error *err)
{
	if (walk(base, collect_entry, ret_index, err) < 0)
		return -1;
	if (ret_index->count)
		qsort_r(ret_index->entries, ret_index->count, sizeof(*ret_index->entries),
			by_path, ret_index);
	return 0;
}

void stat_index_release(struct stat_index *index)
{
	free(index->entries);
	buf_release(&index->names);
}
