#include "compose/changes.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"

const char *const change_kind_names[CHANGE_KIND_COUNT] = {
	[CHANGE_MADE] = "make",
	[CHANGE_CHANGED] = "change",
	[CHANGE_REMOVED] = "remove",
	[CHANGE_KEPT] = "move aside",
};

void changes_add(struct changes *changes, enum change_kind kind, const char *why,
	const char *path_format, ...)
{
	CLEANUP(buf_release) struct buf path = BUF_INIT;
	va_list args;

	va_start(args, path_format);
	buf_appendv(&path, path_format, args);
	va_end(args);
	GROW(changes->list, changes->count, changes->cap);
	changes->list[changes->count++] =
		(struct change){.kind = kind, .path = buf_take(&path), .why = xstrdup(why)};
}

void changes_release(struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++) {
		free(changes->list[i].path);
		free(changes->list[i].why);
	}
	free(changes->list);
	*changes = (struct changes){0};
}
