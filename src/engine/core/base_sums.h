/*
 * .nanoclaw/base.sha256: hash and mode of every file of the base when it was made.
 *
 *	CLEANUP(base_sums_release) struct base_sums sums = BASE_SUMS_INIT;
 *
 *	if (base_sums_collect(base, &sums, err) < 0)
 *		return -1;
 *	base_sums_render(&sums, core_version, &text);
 *
 * The base is the ancestor of merges, and edits are found by comparing with it. With this
 * list, damage to the base can be distinguished from edits of the tree (verify.h). Nothing
 * else depends on it: older projects do not have it.
 *
 * The first line has the version of the core, and the hash of all the lines after it.
 * These are sorted by path:
 *
 *	100755 0a1b... bin/run		a mode of 100644, 100755 or 120000 (a link);
 *	120000 4f5e... "new\012line"	the hash of the content, or of the link's
 *					target; the path, in double quotes and with
 *					octal escapes if it has unusual bytes
 *
 * An operation that replaces the base must also write this file.
 */
#ifndef ENGINE_CORE_BASE_SUMS_H
#define ENGINE_CORE_BASE_SUMS_H

#include "base/buf.h"
#include "engine/disk/transaction.h"

#define BASE_SUMS_PATH ".nanoclaw/base.sha256"

struct base_sum {
	char *path;
	struct layer_file file;
};

struct base_sums {
	struct base_sum *list; /* sorted by path */
	size_t count;
	size_t cap;
};

#define BASE_SUMS_INIT ((struct base_sums){0})

/* Read every file and link in the open folder `base`. */
int base_sums_collect(int base, struct base_sums *ret_sums, struct error *err);

void base_sums_render(const struct base_sums *sums, const char *core_version, struct buf *out);

/*
 * False if the text is incomplete. `*ret_other` is true if the list belongs to another version
 * of the core, which says nothing about this one; then the list is empty.
 */
bool base_sums_parse(struct view text, const char *core_version, struct base_sums *ret_sums,
	bool *ret_other);

/* The version of the core in a complete list, to be freed; or NULL. */
char *base_sums_version(struct view text);

/* The number of files in a list of this core, whose hash is not checked; else 0. */
size_t base_sums_count(struct view text, const char *core_version);

enum base_sums_found {
	BASE_SUMS_NONE, /* of this core */
	BASE_SUMS_DAMAGED,
	BASE_SUMS_FOUND,
};

/* Read the file; the list is empty unless it was found. */
int base_sums_load(struct transaction *tx, const char *core_version, struct base_sums *ret_sums,
	enum base_sums_found *ret_found, struct error *err);

/* NULL if the list does not have the path. */
const struct layer_file *base_sums_find(const struct base_sums *sums, const char *path);

void base_sums_release(struct base_sums *sums);

#endif
