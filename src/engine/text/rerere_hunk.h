/*
 * Recognize single hunks of a conflict in another conflict.
 *
 * `git rerere` knows only whole files: with one more hunk, it is another conflict. Here each
 * hunk has its own key:
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
 * To resolve the known hunks of another conflict:
 *
 *	rerere_hunk_resolve(&conflict, text, resolutions, &content, &left);
 *
 * Rules that make this safe, referred to by number in code and tests:
 *
 *  H1. A key is made of the scope (the path of the file), both sides byte for byte, and
 *	the three lines before and after the hunk, or fewer at the beginning or end of the
 *	file. It does not matter which side was ours: a resolution is a text that replaces
 *	the hunk.
 *  H2. Nothing is learned unless the text between the hunks is unchanged, byte for byte. A
 *	person who edits it may have moved lines there, and the hunk is then only half of
 *	the resolution.
 *  H3. A hunk is learned only if its beginning and end in the resolved text are
 *	unambiguous.
 *  H4. Lines that one hunk lost and another gained were moved: neither of them is
 *	learned, because one could be resolved without the other. The same is true if a
 *	line that a hunk lost also stands between the hunks: that may be why it was
 *	left out.
 *  H5. Two hunks with the same sides that were resolved differently are not learned, even
 *	if the lines around them differ.
 *  H6. A resolution has no line that looks like a marker, of any kind.
 *  H7. Resolving changes hunks and nothing else.
 */
#ifndef ENGINE_TEXT_RERERE_HUNK_H
#define ENGINE_TEXT_RERERE_HUNK_H

#include "base/hash.h"
#include "engine/text/rerere.h"

/* False: it has no key, because another hunk begins right after it. */
bool rerere_hunk_key(
	const struct rerere_text *text, size_t number, struct view scope, struct hash *ret_key);

/*
 * The resolution of each hunk as a part of `resolved`; `data` is NULL if it is ambiguous or
 * not safe to use again.
 */
void rerere_hunk_learn(
	const struct rerere_text *conflict, struct view resolved, struct view *ret_resolutions);

/*
 * Replace hunks of `text`, the text that was parsed, with their resolutions. A hunk whose
 * resolution has no `data` stays; `*ret_left` is the number of those.
 */
void rerere_hunk_resolve(const struct rerere_text *conflict, struct view text,
	const struct view *resolutions, struct buf *ret_content, size_t *ret_left);

/* Can a text be a resolution? H6, and no NUL. */
bool rerere_hunk_is_resolution(struct view text);

#endif
