/* Files that are found on the disk, with their hashes. */
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/quote.h"
#include "engine/newcore/internal.h"
#include "fs/walk.h"

int core_list_entry(struct core_reader *reader, struct core_tree *tree, size_t folder,
	const struct walk_entry *entry, const char *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath checked = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath there = RELPATH_INIT;
	struct layer_file file = {0};
	size_t place;

	if (tree->count == CORE_TREE_MAX)
		return error_set(
			err, ERROR_INVALID, "there are more than %zu files", CORE_TREE_MAX);
	if (relpath_parse(view_of(path), &checked, err) < 0 ||
		relpath_parse(view_of(entry->path), &there, err) < 0 ||
		core_path_check(&checked, err) < 0)
		return -1;
	if (layer_file_at(entry->dirfd, entry->name, entry->kind == WALK_SYMLINK, &file, err) <
		0) {
		CLEANUP(freep) char *shown = quote(view_of(path));

		return error_prefix(err, "%s", shown);
	}
	place = core_reader_add(reader, folder, &there);
	core_tree_add(tree, &checked, &file, place);
	return 0;
}
