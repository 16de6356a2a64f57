/*
 * Bytes of any kind as text that may stand in a request: UTF-8 without NUL. Bytes that are not
 * become U+FFFD.
 */
#ifndef FORMAT_CLEAN_TEXT_H
#define FORMAT_CLEAN_TEXT_H

#include "base/buf.h"
#include "base/view.h"

void clean_text_append(struct buf *out, struct view bytes);

/* Make a text valid, and cut what is beyond `max` bytes, with a note about how much that is. */
void clean_text_bound(struct buf *text, size_t max);

/* How many of the first `max` bytes are whole characters; of bytes that are not UTF-8, all. */
size_t clean_text_cut(struct view text, size_t max);

#endif
