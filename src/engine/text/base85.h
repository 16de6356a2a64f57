/*
 * Bytes as text, as git writes them in binary patches: four bytes are five digits of
 * base 85, and a line begins with a letter that says how many bytes it has.
 *
 * This is neither Ascii85 nor RFC 1924, which have other digits or another order.
 */
#ifndef ENGINE_TEXT_BASE85_H
#define ENGINE_TEXT_BASE85_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/view.h"

/* Append `data` in lines of up to 52 bytes. */
void base85_append(struct buf *out, struct view data);

/*
 * Append the bytes of one line, without its newline. False if it is malformed;
 * some bytes may have been appended then.
 */
bool base85_undo(struct view line, struct buf *out);

#endif
