/*
 * Bytes compressed by zlib, and back.
 */
#ifndef ARCHIVE_DEFLATE_H
#define ARCHIVE_DEFLATE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/* Append `content`, compressed, to `out`. */
void deflate_append(struct buf *out, struct view content);

/*
 * Append what `compressed` holds, which must be a whole stream of exactly `len`
 * bytes and nothing after it; if not, that is ERROR_INVALID. No more than `len`
 * bytes are ever made, whatever the stream would hold.
 */
int deflate_undo(struct view compressed, size_t len, struct buf *out, struct error *err);

#endif
