/*
 * Loads md4c when it is first needed (proc/library.h), and defines our Markdown: CommonMark
 * with tables, task lists and strikethrough, without HTML and without indented code blocks,
 * which are accidents in chats.
 *
 * Style marks in a bare address are part of it. md4c's own recognition of such addresses loops
 * and loses marks (0.4.8), so each is masked by a byte that never occurs in UTF-8, and
 * parse_unmask() restores it. The same goes for the stars of a product (2*3*4), and for the bracket of an unused link definition, which
 * would otherwise be invisible.
 */
#ifndef MARKUP_PARSE_H
#define MARKUP_PARSE_H

#include <md4c.h>

#include "base/buf.h"
#include "base/view.h"

/* Masks the star of a product; unlike the others, a dialect escapes it. */
#define PARSE_PRODUCT 0xfb

/* The source with masked marks, each byte in its place. */
void parse_mask(struct view source, struct buf *ret_masked);

/* The mark that a byte masks, or 0. */
char parse_unmask(char byte);

/*
 * Call the functions of `events` for the source, in which pointers to normal text point. -1: a
 * function returned another value than 0, or there is no md4c.
 */
int markup_parse(struct view source, const MD_PARSER *events, void *data);

/* The same calls for a text that is not Markdown: one paragraph. */
void markup_parse_plain(struct view source, const MD_PARSER *events, void *data);

#endif
