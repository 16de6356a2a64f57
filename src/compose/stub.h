/*
 * The text that groups/global/CLAUDE.md was delivered with, in all its versions: known by
 * hashes of its lines.
 */
#ifndef COMPOSE_STUB_H
#define COMPOSE_STUB_H

#include "base/buf.h"
#include "base/view.h"

/*
 * The text that somebody added: all paragraphs except those in which every line was delivered. A
 * delivered heading stays if text below it stays. An untouched file becomes empty, and a file
 * without delivered lines stays unchanged.
 */
void stub_remove(struct view text, struct buf *ret_rest);

#endif
