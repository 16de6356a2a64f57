/*
 * Conflicts as `git rerere` sees them: their ids, their normalized texts, and replaying
 * how one was resolved before. Nothing here needs git or a repository.
 *
 *	CLEANUP(rerere_text_release) struct rerere_text conflict = RERERE_TEXT_INIT;
 *	struct rerere_id id;
 *	bool usable, clean;
 *
 *	if (rerere_conflict(&sides, RERERE_MERGE_FILE, &conflict, &usable, err) < 0)
 *		return -1;
 *	if (!usable)
 *		...	// nothing that rerere could remember
 *	id = rerere_id(&conflict, RERERE_SHA1);
 *	... find the recording with that id: rr_cache.h ...
 *	if (rerere_replay(&conflict, preimage, postimage, &content, &clean, err) < 0)
 *		return -1;
 *
 * A text with conflict markers is a row of common parts and hunks. Normalized, a
 * hunk has markers without labels, no base part, and its two sides in the order of
 * their bytes, so that it does not matter which of them was ours. The normalized
 * text is what git keeps as the preimage; the id is a hash of all sides.
 *
 * Ids are those of the markers that git writes where nothing else is configured
 * (merge style, seven characters). Of the same conflict, diff3 markers often have
 * larger hunks and so another id; zdiff3 markers, too. That is why an id for our
 * own conflicts is never taken from what a person is shown, but from
 * rerere_conflict().
 *
 * A text that cannot be read (a marker without its partner, markers in the wrong
 * order), that has a NUL, is larger than RERERE_MAX_SIZE or more deeply nested than
 * RERERE_MAX_DEPTH, is a result and no error: "not usable". git fails for the
 * first kind, too; at a NUL it would lose the rest of a line, so we keep away.
 */
#ifndef ENGINE_TEXT_RERERE_H
#define ENGINE_TEXT_RERERE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

#define RERERE_MARKER_SIZE 7
#define RERERE_MAX_SIZE    ((size_t)64 * 1024 * 1024)
#define RERERE_MAX_DEPTH   64

struct rerere_hunk {
	struct buf one; /* the side whose bytes come first; nested hunks are normalized */
	struct buf two;
	bool swapped;        /* one is theirs, and two is ours */
	size_t start;        /* where it begins in the text that was parsed, */
	size_t end;          /* and what follows it there */
	size_t normal_start; /* the same in the normalized text */
	size_t normal_end;
};

struct rerere_text {
	struct buf normalized;
	struct rerere_hunk *hunks; /* not those inside of others */
	size_t count;
	size_t cap;
};

#define RERERE_TEXT_INIT ((struct rerere_text){.normalized = BUF_INIT})

/*
 * Read a text with markers of this size; 0 is RERERE_MARKER_SIZE. False: it is not
 * usable, and `*ret_text` is untouched. A text without any conflict is usable and
 * has no hunks.
 */
bool rerere_parse(struct view text, size_t marker_size, struct rerere_text *ret_text);

void rerere_text_release(struct rerere_text *text);

/* --- ids ------------------------------------------------------------------------ */

/* A repository's hash function. With ours, and nearly all of git's: SHA-1. */
enum rerere_hash {
	RERERE_SHA1,
	RERERE_SHA256,
};

#define RERERE_ID_SIZE 65

struct rerere_id {
	char hex[RERERE_ID_SIZE];
};

struct rerere_id rerere_id(const struct rerere_text *text, enum rerere_hash hash);

/* --- our own conflicts ---------------------------------------------------------- */

struct rerere_sides {
	struct view ours;
	struct view base;
	struct view theirs;
};

/*
 * git itself does not always cut the same conflict into the same hunks. These are
 * the shapes that we can tell; most conflicts look the same in both.
 */
enum rerere_shape {
	RERERE_MERGE_FILE, /* of `git merge-file`, and of merge.h */
	RERERE_MERGE,      /* of `git merge -s recursive` and `git checkout -m FILE` */
	RERERE_SHAPES,
};

/*
 * Merge, in merge style, and parse what comes out. Not usable, beside the reasons
 * above: there is no conflict, a side is binary, or lines of a side that look like
 * markers are taken for some.
 */
int rerere_conflict(const struct rerere_sides *sides, enum rerere_shape shape,
	struct rerere_text *ret_text, bool *ret_usable, struct error *err);

/*
 * Resolve a conflict as the recorded one, `preimage`, was resolved in `postimage`.
 * `*ret_clean` is whether that works, as `git rerere` decides it: other differences in
 * the file do not touch the resolution. Only then is there a content. Images that are
 * not usable are not clean; nor is a content with more lines that look like markers than
 * were between the conflicts before, which git would accept.
 */
int rerere_replay(const struct rerere_text *current, struct view preimage,
	struct view postimage, struct buf *ret_content, bool *ret_clean, struct error *err);

/* Whether a text could be kept as an image: not too large, and without a NUL. */
bool rerere_is_image(struct view text);

#endif
