/*
 * Turns any bytes into text that is valid in a request: UTF-8 without NUL. Invalid bytes become
 * U+FFFD.
 */
#ifndef FORMAT_CLEAN_TEXT_H
#define FORMAT_CLEAN_TEXT_H

#include "base/buf.h"
#include "base/view.h"

void clean_text_append(struct buf *out, struct view bytes);

/* Make a text valid and cut it to `max` bytes, with a note about how much was cut. */
void clean_text_bound(struct buf *text, size_t max);

/* How many of the first `max` bytes are whole characters; of bytes that are not UTF-8, all. */
size_t clean_text_cut(struct view text, size_t max);

#endif
