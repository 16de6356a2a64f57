/*
 * Conflicts as `git rerere` sees them: ids, normalized texts, and replaying a recorded
 * resolution. Nothing here needs git or a repository.
 *
 *	CLEANUP(rerere_text_release) struct rerere_text conflict = RERERE_TEXT_INIT;
 *	struct rerere_id id;
 *	bool usable, clean;
 *
 *	if (rerere_conflict(&sides, RERERE_MERGE_FILE, &conflict, &usable, err) < 0)
 *		return -1;
 *	if (!usable)
 *		...	// rerere cannot remember it
 *	id = rerere_id(&conflict, RERERE_SHA1);
 *	... find the recording with that id: rr_cache.h ...
 *	if (rerere_replay(&conflict, preimage, postimage, &content, &clean, err) < 0)
 *		return -1;
 *
 * A text with conflict markers is a sequence of common parts and hunks. A normalized hunk has
 * markers without labels, no base part, and its two sides in bytewise order, so it does not
 * matter which of them was ours. git keeps the normalized text as the preimage; the id is a
 * hash of all sides.
 *
 * Ids belong to git's default markers (merge style, seven characters). With diff3 or zdiff3
 * markers, the same conflict often has larger hunks and another id. So the id of our own
 * conflicts never comes from the text that a person sees, but from rerere_conflict().
 *
 * A text is "not usable" if its markers do not match, if it has a NUL, is larger than
 * RERERE_MAX_SIZE, or is nested more deeply than RERERE_MAX_DEPTH. This is a result and not an
 * error. git also fails if markers do not match; at a NUL it would lose the rest of the line.
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
	size_t start;        /* its first byte in the text that was parsed */
	size_t end;          /* after its last byte */
	size_t normal_start; /* the same in the normalized text */
	size_t normal_end;
};

struct rerere_text {
	struct buf normalized;
	struct rerere_hunk *hunks; /* without nested ones */
	size_t count;
	size_t cap;
};

#define RERERE_TEXT_INIT ((struct rerere_text){.normalized = BUF_INIT})

/*
 * Read a text with markers of this size; 0 is RERERE_MARKER_SIZE. False: it is not usable,
 * and `*ret_text` is untouched. A text without conflicts is usable and has no hunks.
 */
bool rerere_parse(struct view text, size_t marker_size, struct rerere_text *ret_text);

void rerere_text_release(struct rerere_text *text);

/* --- ids ------------------------------------------------------------------------ */

/* A repository's hash function. Our own rr-cache and nearly all repositories use SHA-1. */
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
 * git's commands do not all split a conflict into the same hunks. These are the two known
 * shapes; most conflicts look the same in both.
 */
enum rerere_shape {
	RERERE_MERGE_FILE, /* of `git merge-file`, and of merge.h */
	RERERE_MERGE,      /* of `git merge -s recursive` and `git checkout -m FILE` */
	RERERE_SHAPES,
};

/*
 * Merge, in merge style, and parse the result. It is also not usable if there is no
 * conflict, if a side is binary, or if lines of a side look like markers.
 */
int rerere_conflict(const struct rerere_sides *sides, enum rerere_shape shape,
	struct rerere_text *ret_text, bool *ret_usable, struct error *err);

/*
 * Resolve a conflict as the recorded one, `preimage`, was resolved in `postimage`.
 * `*ret_clean` is true if that works, as `git rerere` decides it: other differences in the
 * file do not overlap with the resolution. Only then is there a content. It is not clean if
 * an image is not usable, or, unlike in git, if the content has more lines that look like
 * markers than the current text has between its conflicts.
 */
int rerere_replay(const struct rerere_text *current, struct view preimage,
	struct view postimage, struct buf *ret_content, bool *ret_clean, struct error *err);

/* Can a text be an image? It must not be too large or have a NUL. */
bool rerere_is_image(struct view text);

#endif
