/*
 * The renames and deletions of a package.
 */
#ifndef LEDGER_FILE_OPS_H
#define LEDGER_FILE_OPS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define FILE_OPS_MAX 8

struct file_op {
	char *from;
	char *to; /* NULL: deleted */
};

struct file_ops {
	struct file_op list[FILE_OPS_MAX];
	size_t count;
};

/* Beyond the limit nothing is added. */
void file_ops_add(struct file_ops *ops, const char *from, const char *to);
void file_ops_copy(struct file_ops *to, const struct file_ops *from);
void file_ops_release(struct file_ops *ops);

/* Does one of them have to do with the path? */
bool file_ops_mention(const struct file_ops *ops, const char *path);

/* The name of a file after them; NULL if it is deleted. */
const char *file_ops_follow(const struct file_ops *ops, const char *path);

/* As a line of a manifest; nothing if there are none. */
void file_ops_write(const struct file_ops *ops, struct buf *out);

#endif
