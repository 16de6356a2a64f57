/*
 * Ranges of versions, by the grammar and the rules of node-semver: ^1.2, ~0.3.1, 1.x,
 * 1.2 - 2, >=1 <3 || 5, *, with its rules for prereleases.
 *
 *	semver_range.c		text → comparators
 *	semver_versions.c	comparators → the versions that they allow
 *	semver_intersection.c	several ranges → the text of the one that they have in common
 *
 * The rules are those without options: not loose, and a prerelease is in a range only if
 * a prerelease of the same release is named there: 1.2.3-rc.2 is in ^1.2.3-rc.1, and
 * 1.2.4-rc.2 is not.
 *
 * Numbers in prereleases are compared exactly. node-semver rounds those above 2^53, so that
 * two of them can be equal there and differ here.
 *
 * All memory of ranges and versions is in the arena.
 */
#ifndef ENGINE_STRUCTURED_NPM_SEMVER_RANGE_H
#define ENGINE_STRUCTURED_NPM_SEMVER_RANGE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "engine/package/semver.h"

/* node-semver sets no limit to the text; a range that needs more bytes is a mistake. */
#define SEMVER_RANGE_MAX 8192

/* The longest version, and the largest number in one: up to it a double has no gaps. */
#define SEMVER_VERSION_MAX 256
#define SEMVER_NUMBER_MAX  UINT64_C(9007199254740991)

/* --- ranges ------------------------------------------------------------------------------ */

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
	struct semver version; /* without a build */
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

/* False if node-semver does not accept it as a range: a tag, an address, or nonsense. */
bool semver_range_parse(struct view text, struct arena *arena, struct semver_range *ret_range);

/*
 * What the ranges have in common, as one range in its simplest spelling, added to
 * `ret_text`:
 *
 *	- one of the texts as it is, if it says all of it alone: of several the shortest,
 *	  then the first in bytewise order ("*" in place of an empty one)
 *	- else each span of versions as 1.2.3, ^1.2.3, ~1.2.3 or 0.x if that is just it, or
 *	  with comparators: >=1.2.0 <1.5.0; spans with || between them, the lowest first
 *
 * The result has exactly the versions that all of the ranges have, prereleases too, and the
 * order of the texts does not matter. False if there is no such version, if a text is not a
 * range, or if the result would be too long for one. There must be at least one text.
 */
bool semver_range_intersection(const char *const *texts, size_t count, struct buf *ret_text);

/* --- versions ---------------------------------------------------------------------------- */

/*
 * Which versions a range has, in a form that is the same for all ranges with the same
 * versions: spans of releases, and of the prereleases of single releases.
 *
 *	^1.2.3-rc || 2.x	releases 1.2.3 up to 3.0.0; 1.2.3-rc up to 1.2.3
 *
 * By node-semver's rule a set of comparators has prereleases only of releases of which it
 * names one. So two sets have together what one set can say, and what several ranges have
 * in common can always be written as one range.
 */
struct semver_release {
	uint64_t major, minor, patch;
};

/* Above all releases. */
#define SEMVER_RELEASE_TOP ((struct semver_release){.major = UINT64_MAX})

/* All of these have `from` in them and `to` not. They are sorted, and apart. */
struct semver_release_span {
	struct semver_release from, to;
};

struct semver_prerelease_span {
	struct semver_release of;
	const char *from; /* "0" is the first of all */
	const char *to;   /* NULL: up to the release */
};

struct semver_versions {
	struct semver_release_span *releases;
	size_t release_count;
	size_t release_cap;
	struct semver_prerelease_span *prereleases;
	size_t prerelease_count;
	size_t prerelease_cap;
};

struct semver_versions semver_versions_of(
	const struct semver_range *range, struct arena *arena);
struct semver_versions semver_versions_common(
	const struct semver_versions *a, const struct semver_versions *b, struct arena *arena);

bool semver_versions_none(const struct semver_versions *versions);
bool semver_versions_equal(const struct semver_versions *a, const struct semver_versions *b);

int semver_release_compare(struct semver_release a, struct semver_release b);

#endif
