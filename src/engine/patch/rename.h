/*
 * Find renamed files by their content.
 *
 *	CLEANUP(rename_files_release) struct rename_files old = {0}, new = {0};
 *
 *	rename_files_add(&old, (struct rename_file){.path = &path, .id = id, ...});
 *	...
 *	if (renames_find(&old, &new, read_file, context, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < new.count; i++)
 *		... new.list[i].from ...
 *
 * The rules, in order:
 *	- the same content and the same last component of the path;
 *	- the same content, the most similar paths first;
 *	- regular files that are at least half the same, the most similar first; a similar
 *	  path counts a little.
 * Ties are decided by the path. A file is the source of at most one other file.
 *
 * The work is bounded: similar pairs are found by common lines, and lines that many files have
 * and very large files are skipped.
 */
#ifndef ENGINE_PATCH_RENAME_H
#define ENGINE_PATCH_RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "fs/relpath.h"

struct rename_file {
	const struct relpath *path;
	struct view id; /* files with the same content have the same id */
	bool link;
	bool by_name; /* too little content for the second and third rules */
	size_t size;
	const void *owner; /* for the caller */

	const struct rename_file *from; /* of a new file: the old one, or NULL */

	/* The rest belongs to renames_find(). */
	struct piece *pieces;
	size_t piece_count;
	bool used;
};

struct rename_files {
	struct rename_file *list;
	size_t count;
	size_t cap;
};

void rename_files_add(struct rename_files *files, struct rename_file file);
void rename_files_release(struct rename_files *files);

/* Append the content of a regular file. */
typedef int rename_read(
	const struct rename_file *file, void *context, struct buf *out, struct error *err);

int renames_find(struct rename_files *old, struct rename_files *new, rename_read *read,
	void *context, struct error *err);

/*
 * The part of the larger content that is in both, in percent, as git counts it; 100 only if
 * they are equal.
 */
unsigned rename_similarity(struct view old, struct view new);

#endif
