/*
 * Ranges of versions, by the grammar and the rules of node-semver: ^1.2, ~0.3.1, 1.x,
 * 1.2 - 2, >=1 <3 || 5, *, with its rules for prereleases.
 *
 *	CLEANUP(semver_range_release) struct semver_range range = SEMVER_RANGE_INIT;
 *
 *	if (semver_range_parse(view_of("^1.2.0"), &range, err) < 0)
 *		return -1;	not a range: a tag, an address, or nonsense
 *
 * semver_versions.h says which versions a range has.
 *
 * The rules are those without options: not loose, and a prerelease is in a range only if
 * a prerelease of the same release is named there: 1.2.3-rc.2 is in ^1.2.3-rc.1, and
 * 1.2.4-rc.2 is not.
 *
 * Numbers in prereleases are compared as what they are. node-semver rounds those above
 * 2^53, so that two of them can be the same there and are not here.
 */
#ifndef ENGINE_STRUCTURED_NPM_SEMVER_RANGE_H
#define ENGINE_STRUCTURED_NPM_SEMVER_RANGE_H

#include <stdbool.h>

#include "engine/package/semver.h"
#include "util/buf.h"

/* One comparator: "<1.2.3", ">=1.2.3-rc.1" … */
enum semver_operator {
	SEMVER_LESS,
	SEMVER_LESS_EQUAL,
	SEMVER_EQUAL,
	SEMVER_GREATER_EQUAL,
	SEMVER_GREATER,
	SEMVER_ANY, /* every version (without a prerelease) */
};

struct semver_comparator {
	enum semver_operator op;
	struct semver version;
};

/* All comparators of a set must hold. */
struct semver_set {
	struct semver_comparator *list;
	size_t count;
	size_t cap;
};

/* One of the sets must hold. */
struct semver_range {
	struct semver_set *sets;
	size_t count;
	size_t cap;
};

#define SEMVER_RANGE_INIT ((struct semver_range){0})

/* node-semver sets no limit to the text; a range that needs more bytes is a mistake. */
#define SEMVER_RANGE_MAX 8192

/* ERROR_INVALID if node-semver takes it for no range. Input is bounded as there. */
int semver_range_parse(struct view text, struct semver_range *ret_range, struct error *err);

/*
 * What the ranges have in common, as one range in its simplest spelling, added to
 * `ret_text`:
 *
 *	- one of the texts as it is, if it says all of it alone: of several the shortest,
 *	  then the first in bytewise order ("*" in place of an empty one)
 *	- else each span of versions as 1.2.3, ^1.2.3, ~1.2.3 or 0.x if that is just it, or
 *	  with comparators: >=1.2.0 <1.5.0; spans with || between them, the lowest first
 *
 * The result has exactly the versions that all of the ranges have, prereleases too, and
 * the order of the texts does not matter. ERROR_INVALID if there is no such version
 * (the message names two ranges that exclude each other, if two do), if a text is no
 * range, or if the result would be too long for one. No text at all allows "*".
 */
int semver_range_intersection(
	const char *const *texts, size_t count, struct buf *ret_text, struct error *err);

void semver_range_release(struct semver_range *range);

#endif
