/*
 * Change one member of a JSON file that a person has written, and nothing else of it: order,
 * spaces and everything around the member stay as they are.
 *
 *	const char *const keys[] = {"limits", "seconds", NULL};
 *
 *	json_edit(text, keys, json_integer(1800), &out)
 *
 * What is missing on the way is made, as objects. Something on the way that is no object is
 * replaced by one. `value` NULL takes the member out; what is not there stays so. The text is
 * one that json_read() has taken, and holds an object.
 */
#ifndef FORMAT_JSON_EDIT_H
#define FORMAT_JSON_EDIT_H

#include "format/json.h"

void json_edit(struct view text, const char *const *keys, const json_t *value, struct buf *out);

#endif
