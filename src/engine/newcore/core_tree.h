/*
 * A list of files with their hashes, to compare two cores: struct core_file of core_source.h,
 * sorted by path.
 *
 *	CLEANUP(core_tree_release) struct core_tree tree = CORE_TREE_INIT;
 *
 *	core_tree_add(&tree, &path, &file, place);
 *	core_tree_sort(&tree);
 *	found = core_tree_find(&tree, &path);
 */
#ifndef ENGINE_NEWCORE_CORE_TREE_H
#define ENGINE_NEWCORE_CORE_TREE_H

#include "engine/newcore/core_source.h"

struct core_tree {
	struct core_file *list;
	size_t count;
	size_t cap;
};

#define CORE_TREE_INIT ((struct core_tree){0})

/* A new core may have so many files. */
#define CORE_TREE_MAX ((size_t)1000 * 1000)

/* Takes over the text of the path. `from` is empty. */
struct core_file *core_tree_add(struct core_tree *tree, struct relpath *path,
	const struct layer_file *file, size_t place);

void core_tree_sort(struct core_tree *tree);

/* Both need a sorted list. NULL, or where it would have to be put. */
struct core_file *core_tree_find(const struct core_tree *tree, const struct relpath *path);
size_t core_tree_place_of(const struct core_tree *tree, struct view path);

/* The same files, with `from` being what they are called in `tree`. */
void core_tree_copy(const struct core_tree *tree, struct core_tree *ret_copy);

/* Before the file with this number. Takes over what `file` holds. */
void core_tree_insert(struct core_tree *tree, size_t at, const struct core_file *file);

void core_tree_drop(struct core_tree *tree, struct core_file *file);

/*
 * ERROR_INVALID if two files cannot be beside each other: one is the folder of another, or they
 * are the same where case does not count. Two of the latter that `base` has both are none of
 * our business. `where` is what a message calls the new core.
 */
int core_tree_check(const struct core_tree *tree, const struct core_tree *base,
	const char *where, struct error *err);

/* ERROR_INVALID if no update may touch the path. */
int core_path_check(const struct relpath *path, struct error *err);

void core_file_release(struct core_file *file);
void core_tree_release(struct core_tree *tree);

#endif
