/*
 * Which files git tracks, read from a repository's index without git.
 *
 *	CLEANUP(gitindex_release) struct gitindex index = GITINDEX_INIT;
 *
 *	gitindex_read(gitdir, &index);
 *	if (index.unknown)
 *		...	// it could not be read; `unknown` says why
 *	if (gitindex_tracks(&index, "src/a.c"))
 *		...
 *
 * Versions 2, 3 and 4 are supported, with SHA-1 and SHA-256 names. The index does not say
 * which, so both are tried: only with the right one, every entry and extension ends where it
 * must. The checksum is not compared. Entries of all kinds count (unmerged, intent-to-add,
 * skip-worktree), except submodules, which are not files.
 *
 * An index that is unreadable, damaged or malicious is `unknown`. So are a split index (its
 * entries are in another file), a sparse one (whole folders are one entry), one with a
 * required extension that we do not know, and one of more than GITINDEX_MAX_SIZE bytes.
 * Without an index, nothing is tracked.
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
	const char *unknown; /* why it could not be read: "it is split"; or NULL */
	struct view *paths;  /* sorted by bytes */
	size_t count;
	size_t cap;
	const unsigned char **names; /* of the objects, for each path */
	size_t names_cap;
	size_t name_size;   /* 20 or 32 bytes */
	struct buf text;    /* has the paths of versions 2 and 3 */
	struct arena arena; /* has the paths of version 4 */
};

#define GITINDEX_INIT ((struct gitindex){.text = BUF_INIT})

/* `gitdir` is the open folder that holds the file `index`. */
void gitindex_read(int gitdir, struct gitindex *ret_index);

/* The same from its bytes, which it owns from then on. */
void gitindex_parse(struct buf *text, struct gitindex *ret_index);

bool gitindex_tracks(const struct gitindex *index, const char *path);

/*
 * Is the file tracked with a content other than `content`? git may have converted its line
 * ends.
 */
bool gitindex_differs(const struct gitindex *index, const char *path, struct view content);

/* Is any file below the folder tracked? */
bool gitindex_tracks_below(const struct gitindex *index, const char *folder);

void gitindex_release(struct gitindex *index);

#endif
