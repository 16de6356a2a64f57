/*
 * The text that groups/global/CLAUDE.md was delivered with, in all its versions: known by
 * hashes of its lines.
 */
#ifndef COMPOSE_STUB_H
#define COMPOSE_STUB_H

#include "base/buf.h"
#include "base/view.h"

/*
 * What somebody has written: all paragraphs but those whose every line was delivered. A
 * delivered heading stays if something below it does. Nothing is left of a file that nobody
 * has touched, and one in which nothing was delivered is as it was.
 */
void stub_remove(struct view text, struct buf *ret_rest);

#endif
