/*
 * The text before the first change of a patch. Whatever it says, nobody who reads the
 * patch must take a line of it for the beginning of a change: such a line gets a `>`
 * before it, and so does one that is such a line but for some `>` before it, so that
 * all of them can be had back.
 */
#ifndef ENGINE_PATCH_PATCH_MESSAGE_H
#define ENGINE_PATCH_PATCH_MESSAGE_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/view.h"

/* Append the message, and an empty line; nothing if it is empty. */
void patch_message_append(struct buf *out, struct view message);

/* Append one line of a written message, which is with its newline, as it was meant. */
void patch_message_undo_line(struct buf *out, struct view line);

/* Drop the empty line that stands between the message and the changes. */
void patch_message_undo_end(struct buf *out);

#endif
