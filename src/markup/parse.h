/*
 * md4c, loaded when it is first needed (proc/library.h), and the Markdown that we read: that of
 * CommonMark with tables, task lists and strikethrough, without HTML and without code blocks by
 * indentation, which are accidents in chats.
 *
 * Marks of styles in a bare address are part of it. md4c's own recognition of such addresses
 * loops and loses marks (0.4.8), so they are masked before it sees them: a byte that is
 * never in UTF-8 stands for each, and parse_unmask() gives back the mark. So is the bracket of a
 * definition of a link that nothing refers to, of which nobody would see anything.
 */
#ifndef MARKUP_PARSE_H
#define MARKUP_PARSE_H

#include <md4c.h>

#include "base/buf.h"
#include "base/view.h"

/* The source with masked marks, each byte in its place. */
void parse_mask(struct view source, struct buf *ret_masked);

/* The mark that a byte stands for, or 0. */
char parse_unmask(char byte);

/*
 * Call the functions of `events` for the source, in which pointers to normal text point. -1: a
 * function returned another value than 0, or there is no md4c.
 */
int markup_parse(struct view source, const MD_PARSER *events, void *data);

/* The same calls for a text that is not Markdown: one paragraph. */
void markup_parse_plain(struct view source, const MD_PARSER *events, void *data);

#endif
