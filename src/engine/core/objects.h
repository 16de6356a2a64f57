/*
 * Contents by their hash, in .nanoclaw/objects: earlier versions of core files, and skill files
 * as they were applied. The content with the SHA-256 abcdef… is the file objects/ab/cdef…
 *
 * This is for reading. A transaction writes them (recorded_keep()), like every other file.
 * `nanoclaw` is the open folder .nanoclaw.
 */
#ifndef ENGINE_CORE_OBJECTS_H
#define ENGINE_CORE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/view.h"

/* Does a file exist for the hash? Its content is not checked. */
bool objects_has(int nanoclaw, const struct hash *hash);

/*
 * Errors:
 *	it does not exist		ERROR_FAILED, errnum ENOENT
 *	its content has another hash	ERROR_FAILED, errnum EBADMSG
 *	more than `max` bytes		ERROR_INVALID
 */
int objects_read(int nanoclaw, const struct hash *hash, size_t max, struct buf *ret_content,
	struct error *err);

#endif
