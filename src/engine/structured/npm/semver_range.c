#include "engine/structured/npm/semver_range.h"

#include <string.h>

#include "engine/structured/npm/semver_range_parts.h"

static bool same_release(const struct semver *a, const struct semver *b)
{
	return a->major == b->major && a->minor == b->minor && a->patch == b->patch;
}

bool semver_same(const struct semver *a, const struct semver *b)
{
	return same_release(a, b) && !a->prerelease == !b->prerelease &&
	       (!a->prerelease || !strcmp(a->prerelease, b->prerelease));
}

/* --- has ------------------------------------------------------------------------ */

static bool comparator_holds(
	const struct semver_comparator *comparator, const struct semver *version)
{
	int order = semver_compare(version, &comparator->version);

	switch (comparator->op) {
	case SEMVER_LESS:
		return order < 0;
	case SEMVER_LESS_EQUAL:
		return order <= 0;
	case SEMVER_EQUAL:
		return order == 0;
	case SEMVER_GREATER_EQUAL:
		return order >= 0;
	case SEMVER_GREATER:
		return order > 0;
	case SEMVER_ANY:
		break;
	}
	return true;
}

/* A prerelease is let in only where one of the same release is named. */
static bool set_has(const struct semver_set *set, const struct semver *version)
{
	bool named = !version->prerelease;

	for (size_t i = 0; i < set->count; i++) {
		const struct semver_comparator *comparator = &set->list[i];

		if (!comparator_holds(comparator, version))
			return false;
		named = named || (comparator->version.prerelease &&
					 same_release(&comparator->version, version));
	}
	return named;
}

bool semver_range_has(const struct semver_range *range, const struct semver *version)
{
	if (version->major > SEMVER_NUMBER_MAX || version->minor > SEMVER_NUMBER_MAX ||
		version->patch > SEMVER_NUMBER_MAX)
		return false; /* no version for node-semver */
	for (size_t i = 0; i < range->count; i++)
		if (set_has(&range->sets[i], version))
			return true;
	return false;
}

/* --- intersects ----------------------------------------------------------------- */

static bool is_upwards(enum semver_operator op)
{
	return op == SEMVER_GREATER || op == SEMVER_GREATER_EQUAL;
}

static bool is_inclusive(enum semver_operator op)
{
	return op == SEMVER_LESS_EQUAL || op == SEMVER_GREATER_EQUAL;
}

/* Below the first release: node-semver takes it that nothing is there. */
static bool is_bottom(const struct semver_comparator *comparator)
{
	const struct semver *version = &comparator->version;

	return comparator->op == SEMVER_LESS && !version->major && !version->minor &&
	       !version->patch;
}

static bool alone_has(const struct semver_comparator *comparator, const struct semver *version)
{
	struct semver_comparator copy = *comparator;
	struct semver_set set = {.list = &copy, .count = 1};

	return set_has(&set, version);
}

/*
 * node-semver's rule, which is not the same both ways: "any" meets a prerelease, but a
 * prerelease does not meet "any".
 */
static bool comparators_meet(
	const struct semver_comparator *a, const struct semver_comparator *b)
{
	const struct semver_comparator *up = is_upwards(a->op) ? a : b;
	const struct semver_comparator *down = is_upwards(a->op) ? b : a;

	if (a->op == SEMVER_ANY)
		return true;
	if (a->op == SEMVER_EQUAL)
		return alone_has(b, &a->version);
	if (b->op == SEMVER_ANY)
		return true;
	if (b->op == SEMVER_EQUAL)
		return alone_has(a, &b->version);
	if (is_bottom(a) || is_bottom(b))
		return false;
	if (is_upwards(a->op) == is_upwards(b->op))
		return true;
	if (is_inclusive(a->op) && is_inclusive(b->op) && semver_same(&a->version, &b->version))
		return true;
	return semver_compare(&up->version, &down->version) < 0;
}

static bool set_can_hold(const struct semver_set *set)
{
	for (size_t i = set->count; i-- > 0;)
		for (size_t k = 0; k < i; k++)
			if (!comparators_meet(&set->list[i], &set->list[k]))
				return false;
	return true;
}

static bool sets_meet(const struct semver_set *a, const struct semver_set *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (!comparators_meet(&a->list[i], &b->list[k]))
				return false;
	return true;
}

/* Which of its sets can hold, each looked at once: they may be long. */
static bool *find_possible(const struct semver_range *range)
{
	bool *possible = xcalloc(range->count, sizeof(*possible));

	for (size_t i = 0; i < range->count; i++)
		possible[i] = set_can_hold(&range->sets[i]);
	return possible;
}

bool semver_range_intersects(const struct semver_range *a, const struct semver_range *b)
{
	CLEANUP(freep) bool *possible_a = find_possible(a);
	CLEANUP(freep) bool *possible_b = find_possible(b);

	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < b->count; k++)
			if (possible_a[i] && possible_b[k] &&
				sets_meet(&a->sets[i], &b->sets[k]))
				return true;
	return false;
}

/* -------------------------------------------------------------------------------- */

void semver_set_release(struct semver_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		semver_release(&set->list[i].version);
	free(set->list);
}

void semver_range_release(struct semver_range *range)
{
	for (size_t i = 0; i < range->count; i++)
		semver_set_release(&range->sets[i]);
	free(range->sets);
}
