/*
 * Escapes text for formats in which some characters have a meaning. For files; quote.h is for
 * people.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include "base/buf.h"
#include "base/view.h"

/*
 * Escapes text onto one line, and back: a newline becomes \n and a backslash \\; all other
 * bytes are unchanged.
 */
void escape_append(struct buf *out, const char *text);
char *escape_undo(struct view text);

/* As XML, also in an attribute; a character that XML does not allow becomes '?'. */
void escape_xml(struct buf *out, struct view text);

#endif
