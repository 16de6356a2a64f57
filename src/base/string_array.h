/* A list of texts that grows; a NULL follows the last one, as in the arguments of a program. */
#ifndef BASE_STRING_ARRAY_H
#define BASE_STRING_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

struct string_array {
	char **list; /* NULL if it never had a text */
	size_t count;
	size_t cap;
};

/* The text is copied. */
void string_array_add(struct string_array *array, const char *text);
void string_array_addf(struct string_array *array, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds each text up to a NULL. */
void string_array_add_all(struct string_array *array, const char *const *texts);
#define STRING_ARRAY_ADD(array, ...)                                                           \
	string_array_add_all((array), (const char *const[]){__VA_ARGS__, NULL})

/* Adds the text unless the array has it. */
void string_array_add_new(struct string_array *array, const char *text);

/* Removes the text if the array has it; may change the order of the others. */
void string_array_remove(struct string_array *array, const char *text);

bool string_array_has(const struct string_array *array, const char *text);

/* Sort it, and keep each text once. */
void string_array_sort_once(struct string_array *array);
void string_array_release(struct string_array *array);

#endif
