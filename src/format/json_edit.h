/*
 * Changes one member of a JSON file that a person has written, and nothing else: order, spaces
 * and everything around the member stay the same.
 *
 *	const char *const keys[] = {"limits", "seconds", NULL};
 *
 *	json_edit(text, keys, json_integer(1800), &out)
 *
 * Missing objects on the path are created, and other values on it are replaced by objects. A
 * NULL `value` removes the member, if present. The text must be an object that json_read()
 * accepts.
 */
#ifndef FORMAT_JSON_EDIT_H
#define FORMAT_JSON_EDIT_H

#include "format/json.h"

void json_edit(struct view text, const char *const *keys, const json_t *value, struct buf *out);

#endif
