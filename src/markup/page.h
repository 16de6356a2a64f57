/* Lines on a terminal: wrapped at words, in which escape sequences take no room. */
#ifndef MARKUP_PAGE_H
#define MARKUP_PAGE_H

#include "markup/markup.h"

/*
 * Append a line behind its prefix, which is as wide as `prefix` and already there; `prefix`
 * stands before the lines that it is wrapped to. `used` columns come before the prefix.
 */
void page_wrap(const struct markup_page *page, struct view line, int used, const char *prefix,
	struct buf *out);

#endif
