/*
 * Where the contents of a new core are: for core_source*.c only. Each file has a number, by
 * which it is read again later.
 */
#ifndef ENGINE_NEWCORE_CORE_READER_H
#define ENGINE_NEWCORE_CORE_READER_H

#include "engine/newcore/core_tree.h"

struct core_place {
	size_t folder;       /* its number in `folders`; CORE_NO_FOLDER for an object in git */
	struct relpath path; /* in the folder */
	char *object;        /* its name in git, or NULL */
	size_t size;         /* of an object */
	bool wanted;         /* of an object: it will be read */
};

#define CORE_NO_FOLDER ((size_t)-1)

/* The maximum size of a file in a new core. */
#define CORE_MAX_FILE ((size_t)256 * 1024 * 1024)

/* Contents of objects that were read ahead, together with one that was asked for. */
struct core_ahead {
	size_t *places;
	struct buf *contents;
	size_t count;
};

struct core_reader {
	int root; /* of the project, whose git has the objects */
	struct core_ahead ahead;
	int *folders;
	size_t folder_count, folder_cap;
	struct core_place *places;
	size_t place_count, place_cap;
};

struct core_reader *core_reader_new(int root);
void core_reader_free(struct core_reader *reader);

/* Takes ownership of the descriptor; returns its number. */
size_t core_reader_add_folder(struct core_reader *reader, int fd);

/* Returns the number of the place. */
size_t core_reader_add(struct core_reader *reader, size_t folder, const struct relpath *path);
size_t core_reader_add_object(struct core_reader *reader, struct view object, size_t size);

int core_reader_size(
	struct core_reader *reader, size_t place, size_t *ret_size, struct error *err);

int core_reader_read(
	struct core_reader *reader, size_t place, struct tx_file *ret_file, struct error *err);

/* Read a file or a link below any folder, as core_reader_read() does. */
int core_read_file(
	int folder, const struct relpath *path, struct tx_file *ret_file, struct error *err);

/* The content must match `file`; otherwise ERROR_FAILED. */
int core_reader_read_checked(struct core_reader *reader, const struct core_file *file,
	struct tx_file *ret_file, struct error *err);

/* Hash what a walk has found, and add it to `tree` as `path`. */
struct walk_entry;
int core_list_entry(struct core_reader *reader, struct core_tree *tree, size_t folder,
	const struct walk_entry *entry, const char *path, struct error *err);

/*
 * Find renames that nobody declared, by content (engine/patch/rename.h): files of `after`
 * without a `from` get one of the names in `before` that no file comes from. Both are sorted.
 * Empty and tiny files, and symbolic links, must keep their last name when they move.
 */
#define CORE_RENAMES_TINY 32 /* bytes */

int core_renames_find(const struct core_tree *before, struct core_tree *after,
	struct core_reader *reader, struct error *err);

#endif
