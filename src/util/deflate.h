/*
 * Bytes compressed by zlib, and back.
 */
#ifndef UTIL_DEFLATE_H
#define UTIL_DEFLATE_H

#include "util/buf.h"
#include "util/error.h"
#include "util/view.h"

/* Append `content`, compressed, to `out`. */
void deflate_append(struct buf *out, struct view content);

/*
 * Append what `compressed` holds, which must be a whole stream of exactly `len`
 * bytes and nothing behind it; if not, that is ERROR_INVALID. No more than `len`
 * bytes are ever made, whatever the stream would hold.
 */
int deflate_undo(struct view compressed, size_t len, struct buf *out, struct error *err);

#endif
