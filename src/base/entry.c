#include "base/entry.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* An entry begins with its name. */
static const char *name_of(const void *entry)
{
	const char *name;

	memcpy(&name, entry, sizeof(name));
	return name;
}

static int compare_entries(const void *a, const void *b)
{
	const void *const *x = a, *const *y = b;

	return strcmp(name_of(*x), name_of(*y));
}

void *entries_sort(const void *start, const void *stop)
{
	size_t size = (size_t)((const char *)stop - (const char *)start);
	size_t count = size / sizeof(void *);
	const void **sorted = xcalloc(count + 1, sizeof(*sorted));

	if (!count)
		return sorted;
	memcpy(sorted, start, size);
	qsort(sorted, count, sizeof(*sorted), compare_entries);
	for (size_t i = 1; i < count; i++)
		assert(compare_entries(&sorted[i - 1], &sorted[i]) != 0);
	return sorted;
}
