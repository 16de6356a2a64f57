/*
 * Any text on one line, and back: a newline becomes \n and a backslash \\; all
 * other bytes stay as they are. For our own files, not for people (quote.h).
 */
#ifndef UTIL_ESCAPE_H
#define UTIL_ESCAPE_H

#include "util/buf.h"
#include "util/view.h"

void escape_append(struct buf *out, const char *text);
char *escape_undo(struct view text);

#endif
