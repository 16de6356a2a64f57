/*
 * Where the contents of a new core are: for core_source*.c only. A file has a number, by which
 * it is read again as it was when it was found.
 */
#ifndef ENGINE_NEWCORE_CORE_READER_H
#define ENGINE_NEWCORE_CORE_READER_H

#include "engine/newcore/core_tree.h"

struct core_place {
	size_t folder;       /* its number in `folders`; of an object in git: none */
	struct relpath path; /* in the folder */
	char *object;        /* its name in git, or NULL */
	size_t size;         /* of an object */
	bool wanted;         /* of an object: it will be read */
};

#define CORE_NO_FOLDER ((size_t)-1)

/* One file of a new core must not be larger. */
#define CORE_MAX_FILE ((size_t)256 * 1024 * 1024)

/* Contents of objects that were read together with one that was asked for. */
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
void core_reader_freep(struct core_reader **reader);

/* Takes over the descriptor; returns its number. */
size_t core_reader_add_folder(struct core_reader *reader, int fd);

/* Returns the number of the place. */
size_t core_reader_add(struct core_reader *reader, size_t folder, const struct relpath *path);
size_t core_reader_add_object(struct core_reader *reader, struct view object, size_t size);

/* How large the content is. */
int core_reader_size(
	struct core_reader *reader, size_t place, size_t *ret_size, struct error *err);

int core_reader_read(
	struct core_reader *reader, size_t place, struct tx_file *ret_file, struct error *err);

/* A file or a link of any folder: what core_reader_read() does. */
int core_read_file(
	int folder, const struct relpath *path, struct tx_file *ret_file, struct error *err);

/* The content must be what `file` says; else ERROR_FAILED. */
int core_reader_read_checked(struct core_reader *reader, const struct core_file *file,
	struct tx_file *ret_file, struct error *err);

#endif
