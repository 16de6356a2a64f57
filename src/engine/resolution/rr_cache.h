/*
 * Stores resolved conflicts: whole files, in the format of git's rr-cache, and single hunks.
 *
 *	CLEANUP(rr_cache_release) struct rr_cache cache = RR_CACHE_INIT;
 *	CLEANUP(rr_writes_release) struct rr_writes writes = RR_WRITES_INIT;
 *
 *	rr_cache_open(root, &cache);
 *	if (rr_cache_replay(&cache, &conflict, &content, &found, err) < 0)
 *		return -1;
 *	...
 *	if (rr_cache_record(&cache, &conflict, postimage, &writes, err) < 0)
 *		return -1;
 *	if (cache.in_git)
 *		rr_cache_write(&cache, &writes, err)
 *	else
 *		... transaction_put() for each of `writes` ...
 *
 * A recording is `<id>/preimage` and `<id>/postimage`; another conflict with the
 * same id is a variant, `preimage.1` and `postimage.1`, and so on. The store is
 *
 *	.git/rr-cache		if git would use it: it is there and rerere.enabled is
 *				not false, or rerere.enabled is true. In a worktree it
 *				is in the folder that all worktrees share
 *	.nanoclaw/rr-cache	else; also if .git/rr-cache is a symbolic link
 *
 * Creating an rr-cache in .git enables rerere for all later merges, so it is created only if
 * rerere.enabled is true. Nothing else is ever written in .git, and no recording that has both
 * images is changed, so git's own resolutions stay. In our own store, the latest decision wins.
 *
 * Hunks are in .nanoclaw/hunks, one file for each key (rerere_hunk.h), with a hash,
 * so that a damaged one is not used.
 *
 * The contents of a store may be damaged, huge or malicious. No link is followed, every size and
 * number has a limit, and unusable entries are ignored. A failed write is an error.
 */
#ifndef ENGINE_RESOLUTION_RR_CACHE_H
#define ENGINE_RESOLUTION_RR_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "engine/text/rerere.h"
#include "fs/relpath.h"

/* Variants with a higher number are not seen. */
#define RR_CACHE_MAX_VARIANTS 100

struct rr_cache {
	int top;     /* the folder that the paths of writes begin from: git's, or the root */
	bool in_git; /* those begin with "rr-cache", else with ".nanoclaw/rr-cache" */
	enum rerere_hash hash; /* for its ids */
};

#define RR_CACHE_INIT ((struct rr_cache){.top = -1})

/* For the project whose open folder is `root`. Never fails: else it is our own. */
void rr_cache_open(int root, struct rr_cache *ret_cache);

/* Our own cache even if git has one: it holds the resolutions from before git had one. */
void rr_cache_open_own(int root, struct rr_cache *ret_cache);

void rr_cache_release(struct rr_cache *cache);

/* --- recordings ----------------------------------------------------------------- */

struct rr_variant {
	bool preimage;
	bool postimage;
};

/* The existing images, by number. */
struct rr_variants {
	struct rr_variant list[RR_CACHE_MAX_VARIANTS];
};

void rr_cache_variants(const struct rr_cache *cache, const struct rerere_id *id,
	struct rr_variants *ret_variants);

/* False if it does not exist or is unusable. */
bool rr_cache_read_postimage(const struct rr_cache *cache, const struct rerere_id *id,
	size_t variant, struct buf *ret_text);

/*
 * Resolve a conflict from a recording: the first variant that can be replayed, like `git
 * rerere`. The content is valid only if `*ret_found`.
 */
int rr_cache_replay(const struct rr_cache *cache, const struct rerere_text *conflict,
	struct buf *ret_content, bool *ret_found, struct error *err);

/* --- writing -------------------------------------------------------------------- */

/* Files to be written, in this order. */
struct rr_write {
	struct relpath path;
	struct buf content;
};

struct rr_writes {
	struct rr_write *list;
	size_t count;
	size_t cap;
};

#define RR_WRITES_INIT ((struct rr_writes){0})

void rr_writes_release(struct rr_writes *writes);

/*
 * Add to `writes` the files that record `postimage` as the resolution; nothing if it is
 * recorded already. If the postimage's `data` is NULL, only the preimage is recorded. An
 * unusable postimage, one with conflicts, or a conflict whose variants are all in use, is not
 * recorded.
 */
int rr_cache_record(const struct rr_cache *cache, const struct rerere_text *conflict,
	struct view postimage, struct rr_writes *writes, struct error *err);

/*
 * Write them at once, each durably and in one step, with the permissions that the
 * umask leaves. Each alone is harmless: a preimage without a postimage is a conflict
 * that was not resolved yet.
 */
int rr_cache_write(
	const struct rr_cache *cache, const struct rr_writes *writes, struct error *err);

/* --- hunks ---------------------------------------------------------------------- */

/* `root` is the project's. False if there is no such hunk, or it is unusable. */
bool rr_cache_find_hunk(int root, const struct hash *key, struct buf *ret_resolution);

/* The file that remembers it. The path begins from the project's root. */
int rr_cache_record_hunk(const struct hash *key, struct view resolution,
	struct rr_writes *writes, struct error *err);

#endif
