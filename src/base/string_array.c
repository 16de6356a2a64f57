#include "base/string_array.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

void string_array_add(struct string_array *array, const char *text)
{
	GROW(array->list, array->count + 1, array->cap);
	array->list[array->count++] = xstrdup(text);
	array->list[array->count] = NULL;
}

void string_array_addf(struct string_array *array, const char *format, ...)
{
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_appendv(&text, format, args);
	va_end(args);
	string_array_add(array, text.data);
}

void string_array_add_all(struct string_array *array, const char *const *texts)
{
	for (; *texts; texts++)
		string_array_add(array, *texts);
}

void string_array_add_new(struct string_array *array, const char *text)
{
	if (!string_array_has(array, text))
		string_array_add(array, text);
}

void string_array_remove(struct string_array *array, const char *text)
{
	for (size_t i = 0; i < array->count; i++)
		if (!strcmp(array->list[i], text)) {
			free(array->list[i]);
			array->list[i--] = array->list[--array->count];
			array->list[array->count] = NULL;
		}
}

bool string_array_has(const struct string_array *array, const char *text)
{
	for (size_t i = 0; i < array->count; i++)
		if (!strcmp(array->list[i], text))
			return true;
	return false;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void string_array_sort_once(struct string_array *array)
{
	size_t kept = 0;

	if (array->count)
		qsort(array->list, array->count, sizeof(*array->list), compare_texts);
	for (size_t i = 0; i < array->count; i++) {
		if (kept && !strcmp(array->list[kept - 1], array->list[i]))
			free(array->list[i]);
		else
			array->list[kept++] = array->list[i];
	}
	array->count = kept;
	if (array->list)
		array->list[kept] = NULL;
}

void string_array_release(struct string_array *array)
{
	for (size_t i = 0; i < array->count; i++)
		free(array->list[i]);
	free(array->list);
}
