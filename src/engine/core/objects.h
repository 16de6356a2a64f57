/*
 * Contents by their hash, in .nanoclaw/objects: earlier versions of core files,
 * and skill files as they were applied.
 *
 *	CLEANUP(buf_release) struct buf content = BUF_INIT;
 *	struct hash hash;
 *
 *	if (objects_write(nanoclaw, text, &hash, err) < 0)
 *		return -1;
 *	...
 *	if (objects_read(nanoclaw, &hash, max, &content, err) < 0)
 *		return -1;
 *
 * The content with the SHA-256 abcdef… is the file objects/ab/cdef…, mode 0444.
 * `nanoclaw` is the open folder .nanoclaw; folders below it are made when needed.
 *
 * Nothing is synced here. An object is only worth something when something else
 * refers to it, so whoever writes that reference calls objects_sync() first, for
 * all the objects at once; an object that a power cut has damaged is found out
 * when it is read, and written anew when it is written again.
 *
 * Several processes may write at the same time, also the same object: it gets its
 * name, complete, in one step. What a killed one leaves is removed by
 * objects_clean().
 */
#ifndef ENGINE_CORE_OBJECTS_H
#define ENGINE_CORE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/error.h"
#include "util/hash.h"
#include "util/view.h"

/* Whether there is a file for it; its content is not looked at. */
bool objects_has(int nanoclaw, const struct hash *hash);

/*
 * Errors:
 *	there is none			ERROR_FAILED, errnum ENOENT
 *	its content has another hash	ERROR_FAILED, errnum EBADMSG
 *	more than `max` bytes		ERROR_INVALID
 */
int objects_read(int nanoclaw, const struct hash *hash, size_t max, struct buf *ret_content,
	struct error *err);

/* Does nothing if it is there and whole. `ret_hash` may be NULL. */
int objects_write(int nanoclaw, struct view content, struct hash *ret_hash, struct error *err);

/*
 * Bring objects to the disk: one sync for each file, one for each folder that
 * they are in, and one each for objects/ and .nanoclaw/.
 */
int objects_sync(int nanoclaw, const struct hash *hashes, size_t count, struct error *err);

/* Remove temporary files. The caller holds the lock: nobody is writing. */
int objects_clean(int nanoclaw, struct error *err);

#endif
