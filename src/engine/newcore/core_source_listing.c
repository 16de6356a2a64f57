/* Files that are found on the disk, with their hashes. */
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "engine/newcore/core_source_parts.h"
#include "util/quote.h"
#include "util/walk.h"

static int hash_file(
	const struct walk_entry *entry, struct layer_file *ret_file, struct error *err)
{
	CLEANUP(closep)
	int fd = openat(entry->dirfd, entry->name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, "cannot open");
	if (!S_ISREG(st.st_mode))
		return error_set(err, ERROR_INVALID, "no regular file");
	ret_file->kind = TX_FILE;
	ret_file->executable = st.st_mode & S_IXUSR;
	return hash_of_fd(fd, &ret_file->hash, err);
}

static int hash_link(
	const struct walk_entry *entry, struct layer_file *ret_file, struct error *err)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(entry->dirfd, entry->name, target, sizeof(target));

	if (len < 0)
		return error_errno(err, "cannot read the link");
	ret_file->kind = TX_SYMLINK;
	ret_file->hash = hash_of((struct view){target, (size_t)len});
	return 0;
}

int core_list_entry(struct core_reader *reader, struct core_tree *tree, size_t folder,
	const struct walk_entry *entry, const char *path, struct error *err)
{
	CLEANUP(relpath_release) struct relpath checked = RELPATH_INIT;
	CLEANUP(relpath_release) struct relpath there = RELPATH_INIT;
	struct layer_file file = {.mode_known = true};
	size_t place;

	if (tree->count == CORE_TREE_MAX)
		return error_set(
			err, ERROR_INVALID, "there are more than %zu files", CORE_TREE_MAX);
	if (relpath_parse(view_of(path), &checked, err) < 0 ||
		relpath_parse(view_of(entry->path), &there, err) < 0 ||
		core_path_check(&checked, err) < 0)
		return -1;
	if ((entry->kind == WALK_SYMLINK ? hash_link : hash_file)(entry, &file, err) < 0) {
		CLEANUP(freep) char *shown = quote(view_of(path));

		return error_prefix(err, "%s", shown);
	}
	place = core_reader_add(reader, folder, &there);
	core_tree_add(tree, &checked, &file, place);
	return 0;
}
