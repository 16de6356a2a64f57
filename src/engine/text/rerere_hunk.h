/*
 * Single hunks of a conflict, to be known again in another conflict.
 *
 * `git rerere` knows a file only as a whole: one more hunk in it, and it is another
 * conflict. Here each hunk has a key of its own:
 *
 *	for (size_t i = 0; i < conflict.count; i++)
 *		if (rerere_hunk_key(&conflict, i, scope, &key))
 *			... remember, or find, by key ...
 *
 * To learn from a conflict that was settled:
 *
 *	struct view *resolutions = xcalloc(conflict.count, sizeof(*resolutions));
 *
 *	rerere_hunk_learn(&conflict, resolved, resolutions);
 *	... those with data are to be remembered under their hunk's key ...
 *
 * and to settle what is known of another:
 *
 *	rerere_hunk_settle(&conflict, text, resolutions, &content, &left);
 *
 * What makes this safe, by which the code and the tests refer to it:
 *
 *  H1. A key stands for the scope (the path of the file), both sides byte for
 *	byte, and the three lines before and behind the hunk, or up to the beginning
 *	or end of the file. Which side was ours does not matter: a resolution is a text
 *	that takes the place of the hunk, the same from both points of view.
 *  H2. Nothing is learned unless all between the hunks is, byte for byte, as it
 *	was. Who edits other places too may have moved lines there, and what is left
 *	in the hunk is then half of a resolution.
 *  H3. A hunk is learned only if there is one single way to say where in the
 *	resolved text it begins and ends.
 *  H4. Lines that one hunk lost and another gained were moved: neither of them is
 *	learned, for the one would be settled without the other. The same goes for a
 *	line that a hunk lost and that stands between the hunks: it may have been left
 *	out because of that.
 *  H5. Two hunks with the same sides that were settled differently are not learned,
 *	whatever is around them.
 *  H6. A resolution has no line that looks like a marker, of any kind.
 *  H7. Settling changes hunks and nothing else.
 */
#ifndef ENGINE_TEXT_RERERE_HUNK_H
#define ENGINE_TEXT_RERERE_HUNK_H

#include "engine/text/rerere.h"
#include "util/hash.h"

/* False: it has no key, since another hunk begins right where this one ends. */
bool rerere_hunk_key(
	const struct rerere_text *text, size_t number, struct view scope, struct hash *ret_key);

/*
 * What became of each hunk in `resolved`, as parts of that text, one for each hunk;
 * `data` is NULL where it cannot be told, or is not safe to be used again.
 */
void rerere_hunk_learn(
	const struct rerere_text *conflict, struct view resolved, struct view *ret_resolutions);

/*
 * Put resolutions, one for each hunk, in the place of hunks; those with `data`
 * NULL stay as they stand in `text`, which is what was parsed, labels and all.
 * `*ret_left` is how many stay.
 */
void rerere_hunk_settle(const struct rerere_text *conflict, struct view text,
	const struct view *resolutions, struct buf *ret_content, size_t *ret_left);

/* Whether a text may be a resolution: H6, and no NUL. */
bool rerere_hunk_is_resolution(struct view text);

#endif
