/*
 * A folder with its content, in memory: write it to disk, take a snapshot, and compare two of
 * them.
 *
 *	CLEANUP(tree_release) struct tree before = TREE_INIT;
 *	tree_put(&before, (struct tree_entry){.path = xstrdup("notes/a"), …});
 *	tree_write(&before, folder, &err);
 *	...
 *	tree_read(&after, folder, &err);
 *	if (tree_diff(&text, &before, &after, NULL, NULL))
 *		puts(text.data);
 *
 * Paths are relative to the folder, which is not an entry itself. Bytes, permission bits, link
 * targets and empty folders count as content; times do not, but a snapshot that is written back
 * has the times that were read.
 */
#ifndef HARNESS_TREE_H
#define HARNESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <time.h>

#include "base/error.h"
#include "lines.h"

enum tree_kind {
	TREE_FILE,
	TREE_LINK, /* `data` is the target */
	TREE_DIR,
	TREE_OTHER, /* a socket, a pipe: seen, but never written */
};

struct tree_entry {
	char *path;
	enum tree_kind kind;
	mode_t mode; /* permission bits; 0 for a link */
	char *data;  /* or NULL */
	size_t len;
	struct timespec mtime; /* zero: not known */
	unsigned line;         /* where a scenario says so, or 0 */
};

struct tree {
	struct tree_entry *entries; /* sorted by path */
	size_t count;
	size_t cap;
};

#define TREE_INIT ((struct tree){0})

/* Takes over what the entry owns. Adds the folders above it; replaces. */
void tree_put(struct tree *tree, struct tree_entry entry);

/* Remove the path and all below it. Returns whether it was there. */
bool tree_remove(struct tree *tree, const char *path);

const struct tree_entry *tree_find(const struct tree *tree, const char *path);
void tree_copy(struct tree *to, const struct tree *from);

/*
 * Add what is in the folder `root` to an empty tree; but not `.nanoclaw/index`, which
 * is a cache and no content.
 */
int tree_read(struct tree *tree, const char *root, struct error *err);

/* Make an empty or missing folder `root` hold this tree. */
int tree_write(const struct tree *tree, const char *root, struct error *err);

/* Delete a folder and all in it. One that is not there is fine. */
int tree_delete(const char *root, struct error *err);

/*
 * Describe, if `out` is not NULL, every difference, and return how many there
 * are. Paths that match a pattern of `ignore` are not compared; paths that match
 * one of `leftover` may exist in `got` only. Both may be NULL.
 */
size_t tree_diff(struct buf *out, const struct tree *expected, const struct tree *got,
	const struct lines *ignore, const struct lines *leftover);

/*
 * Whether a path matches a pattern: `?` is one character and `*` any number
 * within a name, `**` any number of characters. A pattern that matches a
 * folder matches all in it.
 */
bool path_matches(const char *pattern, const char *path);

void tree_release(struct tree *tree);

#endif
