/*
 * The order in which npm writes the names of dependencies: localeCompare(…, 'en'), which
 * is ICU's collation. Punctuation counts and comes first, then digits, then letters; A
 * comes behind a, but only between names that are the same otherwise:
 *
 *	_ - ! . ' ( ) @ * / ~ 0 9 a A b B z
 *
 * All of ASCII is in the right order. What else could stand in a name is no name that npm
 * takes; it goes behind Z, by its bytes.
 */
#ifndef ENGINE_STRUCTURED_NPM_NPM_ORDER_H
#define ENGINE_STRUCTURED_NPM_NPM_ORDER_H

#include <jansson.h>
#include <stdbool.h>

/* Less than, equal to or greater than 0. Names that only controls tell apart are equal. */
int npm_compare(const char *a, const char *b);

/*
 * The keys of an object, in its own order, and as npm writes them: sorted, but names that
 * are indexes of an array ("7") come first. Free the list, not the keys.
 */
const char **npm_keys(json_t *object);
const char **npm_sorted_keys(json_t *object);

bool npm_is_sorted(json_t *object);

/* A new object with the same members in the order of `keys`. */
json_t *npm_reordered(json_t *object, const char *const *keys);

/* A new object with one more member: before the first that npm would put behind it. */
json_t *npm_inserted(json_t *object, const char *key, json_t *value);

#endif
