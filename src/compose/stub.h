/*
 * The text that groups/global/CLAUDE.md originally came with, in all its versions, as hashes of
 * its lines.
 */
#ifndef COMPOSE_STUB_H
#define COMPOSE_STUB_H

#include "base/buf.h"
#include "base/view.h"

/*
 * The text that somebody added: all paragraphs except those whose lines are all original. An
 * original heading stays if text below it stays. An untouched file becomes empty, and a file
 * without original lines stays unchanged.
 */
void stub_remove(struct view text, struct buf *ret_rest);

#endif
