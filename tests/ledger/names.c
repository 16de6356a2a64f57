#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Entries never lead on to each other: names_note() turns them. */
const char *names_where(const struct names *names, const char *path)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->list[i].from, path))
			return names->list[i].to;
	return path;
}

bool names_same(const struct names *names, const char *a, const char *b)
{
	return !strcmp(names_where(names, a), names_where(names, b));
}

bool names_is_old(const struct names *names, const char *path)
{
	return strcmp(names_where(names, path), path) != 0;
}

static void forget(struct names *names, const char *path)
{
	for (size_t i = 0; i < names->count; i++) {
		if (strcmp(names->list[i].from, path) != 0)
			continue;
		free(names->list[i].from);
		free(names->list[i].to);
		names->list[i] = names->list[--names->count];
		return;
	}
}

static void add(struct names *names, const char *from, const char *to)
{
	GROW(names->list, names->count, names->cap);
	names->list[names->count++] = (struct renamed){xstrdup(from), xstrdup(to)};
}

void names_note(struct names *names, const char *from, const char *to)
{
	forget(names, to);
	forget(names, from);
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->list[i].to, from)) {
			free(names->list[i].to);
			names->list[i].to = xstrdup(to);
		}
	add(names, from, to);
}

void names_copy(struct names *to, const struct names *from)
{
	names_release(to);
	for (size_t i = 0; i < from->count; i++)
		add(to, from->list[i].from, from->list[i].to);
}

void names_release(struct names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		free(names->list[i].from);
		free(names->list[i].to);
	}
	free(names->list);
	*names = (struct names){0};
}
