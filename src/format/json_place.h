/*
 * Where a member stands in JSON text, for messages about its value: the tree that
 * json_read() gives does not know.
 */
#ifndef FORMAT_JSON_PLACE_H
#define FORMAT_JSON_PLACE_H

#include <stddef.h>

#include "base/view.h"

/*
 * The line and column of the value that `keys` lead to, one object in the other; a NULL
 * ends them. The text is one that json_read() has taken. What cannot be found (a key that
 * is written with escapes) is at the place of the last value that was.
 */
void json_place(
	struct view text, const char *const *keys, size_t *ret_line, size_t *ret_column);

#endif
