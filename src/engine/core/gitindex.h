/*
 * Which files git tracks, read from a repository's index without git.
 *
 *	CLEANUP(gitindex_release) struct gitindex index = GITINDEX_INIT;
 *
 *	gitindex_read(gitdir, &index);
 *	if (index.unknown)
 *		...	// nothing can be said; `unknown` says why
 *	if (gitindex_tracks(&index, "src/a.c"))
 *		...
 *
 * Versions 2, 3 and 4 are read, with object names of SHA-1 and of SHA-256. Their
 * length is not in the index, and git's configuration is not read for it: both
 * are tried, and only the right one lets every entry and extension end where it
 * must. The checksum is not compared. Entries of all kinds count: unmerged,
 * intent-to-add, skip-worktree; submodules do not, since they are no files.
 *
 * The index may be unreadable, damaged or made to do harm; then it is `unknown`,
 * and so are a split index (its entries are in another file), a sparse one (whole
 * folders are one entry), one with an extension that we would have to know, and
 * one of more than GITINDEX_MAX_SIZE bytes. No index at all tracks nothing.
 */
#ifndef ENGINE_CORE_GITINDEX_H
#define ENGINE_CORE_GITINDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/view.h"

#define GITINDEX_MAX_SIZE ((size_t)1024 * 1024 * 1024)

struct gitindex {
	const char *unknown; /* why nothing is known: "it is split"; a constant, or NULL */
	struct view *paths;  /* sorted by bytes */
	size_t count;
	size_t cap;
	const unsigned char **names; /* of the objects, for each path */
	size_t names_cap;
	size_t name_size;   /* 20 or 32 bytes */
	struct buf text;    /* what the paths of versions 2 and 3 are in, */
	struct arena arena; /* and those of version 4 */
};

#define GITINDEX_INIT ((struct gitindex){.text = BUF_INIT})

/* `gitdir` is the open folder that holds the file `index`. */
void gitindex_read(int gitdir, struct gitindex *ret_index);

/* The same from its bytes, which are taken over. */
void gitindex_parse(struct buf *text, struct gitindex *ret_index);

bool gitindex_tracks(const struct gitindex *index, const char *path);

/*
 * Whether the file is tracked, and what is tracked is other than `content` (whose
 * line ends git may have changed).
 */
bool gitindex_differs(const struct gitindex *index, const char *path, struct view content);

/* Whether any tracked file lies below the folder. */
bool gitindex_tracks_below(const struct gitindex *index, const char *folder);

void gitindex_release(struct gitindex *index);

#endif
