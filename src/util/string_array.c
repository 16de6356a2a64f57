#include "util/string_array.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

void string_array_add(struct string_array *array, const char *text)
{
	GROW(array->list, array->count, array->cap);
	array->list[array->count++] = xstrdup(text);
}

bool string_array_has(const struct string_array *array, const char *text)
{
	for (size_t i = 0; i < array->count; i++)
		if (!strcmp(array->list[i], text))
			return true;
	return false;
}

void string_array_release(struct string_array *array)
{
	for (size_t i = 0; i < array->count; i++)
		free(array->list[i]);
	free(array->list);
}
