/*
 * A core as a list of files with their hashes, sorted by path, and the old names of files.
 *
 *	CLEANUP(core_tree_release) struct core_tree tree = CORE_TREE_INIT;
 *
 *	core_tree_add(&tree, &path, &file, place);
 *	core_tree_sort(&tree);
 *	found = core_tree_find(&tree, &path);
 */
#ifndef ENGINE_NEWCORE_CORE_TREE_H
#define ENGINE_NEWCORE_CORE_TREE_H

#include "engine/disk/tx_file.h"
#include "fs/relpath.h"

/* How a file of a new core differs from the base. */
enum core_change {
	CORE_SAME,    /* as in the base, under the same name */
	CORE_ADDED,   /* the base has no file that it was made of */
	CORE_CHANGED, /* other content, permissions or kind; also if it was renamed */
	CORE_MOVED,   /* renamed, and otherwise the same */
};

struct core_file {
	struct relpath path;
	struct relpath from; /* its name in the base: `path`, or an older one; empty if added */
	struct layer_file file;
	enum core_change change;
	bool found;   /* `from` is another name, and was found by content */
	size_t place; /* where core_source_read() finds it */
};

struct core_tree {
	struct core_file *list;
	size_t count;
	size_t cap;
};

#define CORE_TREE_INIT ((struct core_tree){0})

/* The maximum number of files in a new core. */
#define CORE_TREE_MAX ((size_t)1000 * 1000)

/* Takes ownership of the path's text. `from` is empty. */
struct core_file *core_tree_add(struct core_tree *tree, struct relpath *path,
	const struct layer_file *file, size_t place);

void core_tree_sort(struct core_tree *tree);

/* For a sorted list: the file or NULL, and the position at which the path belongs. */
struct core_file *core_tree_find(const struct core_tree *tree, const struct relpath *path);
size_t core_tree_place_of(const struct core_tree *tree, struct view path);

/* The same files; `from` is their name in `tree`. */
void core_tree_copy(const struct core_tree *tree, struct core_tree *ret_copy);

/* Insert before the file at this position. Takes ownership of the contents of `file`. */
void core_tree_insert(struct core_tree *tree, size_t at, const struct core_file *file);

/* Add all files of `more`, which is empty then, and sort. */
void core_tree_join(struct core_tree *tree, struct core_tree *more);

void core_tree_drop(struct core_tree *tree, struct core_file *file);

/* All names that a file comes from, sorted; free the list. core_names_have() looks one up. */
const char **core_tree_origins(const struct core_tree *tree, size_t *ret_count);
bool core_names_have(const char **names, size_t count, const char *name);

/*
 * ERROR_INVALID if two files cannot exist side by side: one is the folder of another, or their
 * paths differ only in case. Paths that both cores have are accepted. `where` is the name of
 * the new core in messages.
 */
int core_tree_check(const struct core_tree *tree, const struct core_tree *base,
	const char *where, struct error *err);

/* ERROR_INVALID if no update may touch the path. */
int core_path_check(const struct relpath *path, struct error *err);

void core_file_release(struct core_file *file);
void core_tree_release(struct core_tree *tree);

/* --- old names ------------------------------------------------------------------------ */

/* An old name of a file, and its name in the new core. */
struct core_rename {
	struct relpath from;
	struct relpath to;
	bool found; /* by content, and not declared */
};

/* Sorted by the old name. */
struct core_moves {
	struct core_rename *list;
	size_t count;
	size_t cap;
};

void core_moves_add(struct core_moves *moves, const struct relpath *from,
	const struct relpath *to, bool found);
void core_moves_sort(struct core_moves *moves);
const struct core_rename *core_moves_find(
	const struct core_moves *moves, const struct relpath *from);
void core_moves_release(struct core_moves *moves);

/* The files of `tree` whose `from` is another name. */
void core_tree_moves(const struct core_tree *tree, struct core_moves *moves);

#endif
