#include "file_ops.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void file_ops_add(struct file_ops *ops, const char *from, const char *to)
{
	if (ops->count < FILE_OPS_MAX)
		ops->list[ops->count++] =
			(struct file_op){xstrdup(from), to ? xstrdup(to) : NULL};
}

void file_ops_copy(struct file_ops *to, const struct file_ops *from)
{
	file_ops_release(to);
	for (size_t i = 0; i < from->count; i++)
		file_ops_add(to, from->list[i].from, from->list[i].to);
}

void file_ops_release(struct file_ops *ops)
{
	for (size_t i = 0; i < ops->count; i++) {
		free(ops->list[i].from);
		free(ops->list[i].to);
	}
	*ops = (struct file_ops){0};
}

bool file_ops_mention(const struct file_ops *ops, const char *path)
{
	for (size_t i = 0; i < ops->count; i++)
		if (!strcmp(ops->list[i].from, path) ||
			(ops->list[i].to && !strcmp(ops->list[i].to, path)))
			return true;
	return false;
}

const char *file_ops_follow(const struct file_ops *ops, const char *path)
{
	for (size_t i = 0; path && i < ops->count; i++)
		if (!strcmp(ops->list[i].from, path))
			path = ops->list[i].to;
	return path;
}

void file_ops_write(const struct file_ops *ops, struct buf *out)
{
	if (!ops->count)
		return;
	buf_append_str(out, "file_ops:\n");
	for (size_t i = 0; i < ops->count; i++) {
		const struct file_op *op = &ops->list[i];

		if (op->to)
			buf_appendf(out, "  - {type: %s, from: %s, to: %s}\n",
				i % 2 ? "move" : "rename", op->from, op->to);
		else
			buf_appendf(out, "  - {type: delete, path: %s}\n", op->from);
	}
}
