/*
 * Ranges of versions, by the grammar and the rules of node-semver: ^1.2, ~0.3.1, 1.x,
 * 1.2 - 2, >=1 <3 || 5, *, with its rules for prereleases.
 *
 *	CLEANUP(semver_range_release) struct semver_range range = SEMVER_RANGE_INIT;
 *
 *	if (semver_range_parse(view_of("^1.2.0"), &range, err) < 0)
 *		return -1;	not a range: a tag, an address, or nonsense
 *	if (semver_range_has(&range, &version)) …
 */
#ifndef ENGINE_SEMVER_RANGE_H
#define ENGINE_SEMVER_RANGE_H

#include <stdbool.h>

#include "engine/semver.h"
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

/* semver.satisfies(version, range) */
bool semver_range_has(const struct semver_range *range, const struct semver *version);

/* semver.intersects(a, b) */
bool semver_range_intersects(const struct semver_range *a, const struct semver_range *b);

/*
 * The ranges that intersect, as one range in its simplest spelling: one of the given
 * texts if that is what they come to, else ^, ~ or x-ranges where they say it, else
 * comparators. The order of the texts does not matter. ERROR_INVALID if two of them
 * have nothing in common, or one is no range.
 */
int semver_range_intersection(
	const char *const *texts, size_t count, struct buf *ret_text, struct error *err);

void semver_range_release(struct semver_range *range);

#endif
