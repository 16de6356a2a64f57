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
 * To learn from a conflict that was resolved:
 *
 *	struct view *resolutions = xcalloc(conflict.count, sizeof(*resolutions));
 *
 *	rerere_hunk_learn(&conflict, resolved, resolutions);
 *	... remember each that has data under the key of its hunk ...
 *
 * and to resolve the known hunks of another:
 *
 *	rerere_hunk_resolve(&conflict, text, resolutions, &content, &left);
 *
 * Rules that make this safe, to which the code and the tests refer:
 *
 *  H1. A key stands for the scope (the path of the file), both sides byte for
 *	byte, and the three lines before and behind the hunk, or up to the beginning
 *	or end of the file. Which side was ours does not matter: a resolution is a text
 *	that takes the place of the hunk, the same from both points of view.
 *  H2. Nothing is learned unless everything between the hunks is unchanged, byte for
 *	byte. A person who edits other places may have moved lines there, and the hunk
 *	is then half of a resolution.
 *  H3. A hunk is learned only if there is one single way to say where in the
 *	resolved text it begins and ends.
 *  H4. Lines that one hunk lost and another gained were moved: neither of them is
 *	learned, for the one would be resolved without the other. The same goes for a
 *	line that a hunk lost and that is also between the hunks: it may have been left
 *	out because of that.
 *  H5. Two hunks with the same sides that were resolved differently are not learned,
 *	whatever is around them.
 *  H6. A resolution has no line that looks like a marker, of any kind.
 *  H7. Resolving changes hunks and nothing else.
 */
#ifndef ENGINE_TEXT_RERERE_HUNK_H
#define ENGINE_TEXT_RERERE_HUNK_H

#include "base/hash.h"
#include "engine/text/rerere.h"

/* False: it has no key, since another hunk begins right where this one ends. */
bool rerere_hunk_key(
	const struct rerere_text *text, size_t number, struct view scope, struct hash *ret_key);

/*
 * The resolution of each hunk, as a part of `resolved`, one for each hunk; `data` is
 * NULL where that is ambiguous, or not safe to use again.
 */
void rerere_hunk_learn(
	const struct rerere_text *conflict, struct view resolved, struct view *ret_resolutions);

/*
 * Replace hunks by their resolutions, of which there is one for each hunk. Where `data`
 * is NULL the hunk stays as it is in `text`, the text that was parsed. `*ret_left` is
 * how many stay.
 */
void rerere_hunk_resolve(const struct rerere_text *conflict, struct view text,
	const struct view *resolutions, struct buf *ret_content, size_t *ret_left);

/* Whether a text may be a resolution: H6, and no NUL. */
bool rerere_hunk_is_resolution(struct view text);

#endif
