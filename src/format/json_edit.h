/*
 * Change one member of a JSON file that a person has written, and nothing else of it: order,
 * spaces and everything around the member stay as they are.
 *
 *	const char *const keys[] = {"limits", "seconds", NULL};
 *
 *	json_edit(text, keys, json_integer(1800), &out)
 *
 * Missing objects on the way are made, and other values on the way are replaced by objects.
 * `value` NULL removes the member, if it is there. The text must be one that json_read()
 * accepts, and hold an object.
 */
#ifndef FORMAT_JSON_EDIT_H
#define FORMAT_JSON_EDIT_H

#include "format/json.h"

void json_edit(struct view text, const char *const *keys, const json_t *value, struct buf *out);

#endif
