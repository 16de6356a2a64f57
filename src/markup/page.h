/* Lines on a terminal, wrapped at words; escape sequences have no width. */
#ifndef MARKUP_PAGE_H
#define MARKUP_PAGE_H

#include "markup/markup.h"

/*
 * Append a line after its prefix, which is as wide as `prefix` and already written; `prefix`
 * goes before each continuation line. `used` columns come before the prefix.
 */
void page_wrap(const struct markup_page *page, struct view line, int used, const char *prefix,
	struct buf *out);

#endif
