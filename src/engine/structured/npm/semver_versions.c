#include "engine/structured/npm/semver_versions.h"

#include <string.h>

#include "engine/structured/npm/semver_range_parts.h"

int semver_release_compare(struct semver_release a, struct semver_release b)
{
	if (a.major != b.major)
		return a.major < b.major ? -1 : 1;
	if (a.minor != b.minor)
		return a.minor < b.minor ? -1 : 1;
	return (a.patch > b.patch) - (a.patch < b.patch);
}

int semver_prerelease_compare(const char *a, const char *b)
{
	struct semver version_a = {.prerelease = (char *)(uintptr_t)a};
	struct semver version_b = {.prerelease = (char *)(uintptr_t)b};

	return semver_compare(&version_a, &version_b);
}

/* --- the two ends of a set ------------------------------------------------------ */

struct end {
	const struct semver *version; /* NULL: there is no end */
	bool inclusive;
};

static void raise_from(struct end *from, const struct semver *version, bool inclusive)
{
	int order = from->version ? semver_compare(version, from->version) : 1;

	if (order > 0)
		*from = (struct end){version, inclusive};
	else if (!order)
		from->inclusive = from->inclusive && inclusive;
}

static void lower_to(struct end *to, const struct semver *version, bool inclusive)
{
	int order = to->version ? semver_compare(version, to->version) : -1;

	if (order < 0)
		*to = (struct end){version, inclusive};
	else if (!order)
		to->inclusive = to->inclusive && inclusive;
}

static void find_ends(const struct semver_set *set, struct end *from, struct end *to)
{
	for (size_t i = 0; i < set->count; i++) {
		enum semver_operator op = set->list[i].op;
		const struct semver *version = &set->list[i].version;
		bool inclusive = op != SEMVER_LESS && op != SEMVER_GREATER;

		if (op == SEMVER_GREATER || op == SEMVER_GREATER_EQUAL || op == SEMVER_EQUAL)
			raise_from(from, version, inclusive);
		if (op == SEMVER_LESS || op == SEMVER_LESS_EQUAL || op == SEMVER_EQUAL)
			lower_to(to, version, inclusive);
	}
}

static bool is_empty(const struct end *from, const struct end *to)
{
	int order;

	if (!from->version || !to->version)
		return false;
	order = semver_compare(from->version, to->version);
	return order > 0 || (!order && !(from->inclusive && to->inclusive));
}

static struct semver_release release_of(const struct semver *version)
{
	return (struct semver_release){version->major, version->minor, version->patch};
}

/* The one behind it; numbers end where node-semver's end. */
static struct semver_release next_release(struct semver_release release)
{
	if (release.patch < SEMVER_NUMBER_MAX)
		return (struct semver_release){release.major, release.minor, release.patch + 1};
	if (release.minor < SEMVER_NUMBER_MAX)
		return (struct semver_release){release.major, release.minor + 1, 0};
	if (release.major < SEMVER_NUMBER_MAX)
		return (struct semver_release){release.major + 1, 0, 0};
	return SEMVER_RELEASE_TOP;
}

/* The first release from here on, or behind here. */
static struct semver_release first_release(const struct semver *version, bool behind)
{
	struct semver_release release = release_of(version);

	return behind && !version->prerelease ? next_release(release) : release;
}

/* The prerelease itself, or the one behind it: nothing is between "rc" and "rc.0". */
static char *first_prerelease(const struct semver *version, bool behind)
{
	return xasprintf("%s%s", version->prerelease, behind ? ".0" : "");
}

/* --- from ranges ---------------------------------------------------------------- */

static void add_releases(
	struct semver_versions *versions, struct semver_release from, struct semver_release to)
{
	if (semver_release_compare(from, to) >= 0)
		return;
	GROW(versions->releases, versions->release_count, versions->release_cap);
	versions->releases[versions->release_count++] = (struct semver_release_span){from, to};
}

/* Owns both texts from here on. */
static void add_prereleases(
	struct semver_versions *versions, struct semver_release of, char *from, char *to)
{
	if (to && semver_prerelease_compare(from, to) >= 0) {
		free(from);
		free(to);
		return;
	}
	GROW(versions->prereleases, versions->prerelease_count, versions->prerelease_cap);
	versions->prereleases[versions->prerelease_count++] =
		(struct semver_prerelease_span){of, from, to};
}

/* The prereleases of `of` between the ends. */
static void add_named(struct semver_versions *versions, struct semver_release of,
	const struct end *from, const struct end *to)
{
	const struct semver *low = from->version;
	const struct semver *high = to->version;
	bool from_here = low && low->prerelease && !semver_release_compare(release_of(low), of);
	bool to_here =
		high && high->prerelease && !semver_release_compare(release_of(high), of);

	add_prereleases(versions, of,
		from_here ? first_prerelease(low, !from->inclusive) : xstrdup("0"),
		to_here ? first_prerelease(high, to->inclusive) : NULL);
}

static void add_set(struct semver_versions *versions, const struct semver_set *set)
{
	struct end from = {0}, to = {0};
	bool from_named, to_named;

	find_ends(set, &from, &to);
	if (is_empty(&from, &to))
		return;
	add_releases(versions,
		from.version ? first_release(from.version, !from.inclusive)
			     : (struct semver_release){0},
		to.version ? first_release(to.version, to.inclusive) : SEMVER_RELEASE_TOP);
	/*
	 * A comparator that names a prerelease and is at neither end is beyond one of
	 * them, or in the same release as that end.
	 */
	from_named = from.version && from.version->prerelease;
	to_named = to.version && to.version->prerelease;
	if (from_named)
		add_named(versions, release_of(from.version), &from, &to);
	if (to_named && !(from_named && !semver_release_compare(release_of(from.version),
						release_of(to.version))))
		add_named(versions, release_of(to.version), &from, &to);
}

/* --- in order, and apart -------------------------------------------------------- */

static int by_release(const void *a, const void *b)
{
	const struct semver_release_span *span_a = a, *span_b = b;

	return semver_release_compare(span_a->from, span_b->from);
}

static int by_prerelease(const void *a, const void *b)
{
	const struct semver_prerelease_span *span_a = a, *span_b = b;
	int order = semver_release_compare(span_a->of, span_b->of);

	return order ? order : semver_prerelease_compare(span_a->from, span_b->from);
}

static void join_releases(struct semver_versions *versions)
{
	struct semver_release_span *list = versions->releases;
	size_t count = 0;

	if (versions->release_count > 1)
		qsort(list, versions->release_count, sizeof(*list), by_release);
	for (size_t i = 0; i < versions->release_count; i++) {
		struct semver_release_span *last = count ? &list[count - 1] : NULL;

		if (!last || semver_release_compare(list[i].from, last->to) > 0)
			list[count++] = list[i];
		else if (semver_release_compare(list[i].to, last->to) > 0)
			last->to = list[i].to;
	}
	versions->release_count = count;
}

static bool touches(
	const struct semver_prerelease_span *last, const struct semver_prerelease_span *next)
{
	return !semver_release_compare(last->of, next->of) &&
	       (!last->to || semver_prerelease_compare(next->from, last->to) <= 0);
}

static void join_prereleases(struct semver_versions *versions)
{
	struct semver_prerelease_span *list = versions->prereleases;
	size_t count = 0;

	if (versions->prerelease_count > 1)
		qsort(list, versions->prerelease_count, sizeof(*list), by_prerelease);
	for (size_t i = 0; i < versions->prerelease_count; i++) {
		struct semver_prerelease_span *last = count ? &list[count - 1] : NULL;
		struct semver_prerelease_span next = list[i];

		if (!last || !touches(last, &next)) {
			list[count++] = next;
			continue;
		}
		if (last->to &&
			(!next.to || semver_prerelease_compare(next.to, last->to) > 0)) {
			free(last->to);
			last->to = TAKE(next.to);
		}
		free(next.from);
		free(next.to);
	}
	versions->prerelease_count = count;
}

void semver_versions_of(const struct semver_range *range, struct semver_versions *ret_versions)
{
	struct semver_versions versions = SEMVER_VERSIONS_INIT;

	for (size_t i = 0; i < range->count; i++)
		add_set(&versions, &range->sets[i]);
	join_releases(&versions);
	join_prereleases(&versions);
	*ret_versions = versions;
}

/* --- what two have in common ---------------------------------------------------- */

static struct semver_release later(struct semver_release a, struct semver_release b)
{
	return semver_release_compare(a, b) > 0 ? a : b;
}

static struct semver_release earlier(struct semver_release a, struct semver_release b)
{
	return semver_release_compare(a, b) < 0 ? a : b;
}

static void common_prereleases(struct semver_versions *versions,
	const struct semver_prerelease_span *a, const struct semver_prerelease_span *b)
{
	const char *from = semver_prerelease_compare(a->from, b->from) > 0 ? a->from : b->from;
	const char *to = a->to;

	if (!to || (b->to && semver_prerelease_compare(b->to, to) < 0))
		to = b->to;
	add_prereleases(versions, a->of, xstrdup(from), to ? xstrdup(to) : NULL);
}

void semver_versions_common(const struct semver_versions *a, const struct semver_versions *b,
	struct semver_versions *ret_versions)
{
	struct semver_versions common = SEMVER_VERSIONS_INIT;

	for (size_t i = 0; i < a->release_count; i++)
		for (size_t k = 0; k < b->release_count; k++)
			add_releases(&common, later(a->releases[i].from, b->releases[k].from),
				earlier(a->releases[i].to, b->releases[k].to));
	for (size_t i = 0; i < a->prerelease_count; i++)
		for (size_t k = 0; k < b->prerelease_count; k++)
			if (!semver_release_compare(a->prereleases[i].of, b->prereleases[k].of))
				common_prereleases(
					&common, &a->prereleases[i], &b->prereleases[k]);
	*ret_versions = common;
}

/* -------------------------------------------------------------------------------- */

bool semver_versions_none(const struct semver_versions *versions)
{
	return !versions->release_count && !versions->prerelease_count;
}

static bool same_prereleases(
	const struct semver_prerelease_span *a, const struct semver_prerelease_span *b)
{
	return !semver_release_compare(a->of, b->of) && !strcmp(a->from, b->from) &&
	       !a->to == !b->to && (!a->to || !strcmp(a->to, b->to));
}

bool semver_versions_equal(const struct semver_versions *a, const struct semver_versions *b)
{
	if (a->release_count != b->release_count || a->prerelease_count != b->prerelease_count)
		return false;
	for (size_t i = 0; i < a->release_count; i++)
		if (semver_release_compare(a->releases[i].from, b->releases[i].from) ||
			semver_release_compare(a->releases[i].to, b->releases[i].to))
			return false;
	for (size_t i = 0; i < a->prerelease_count; i++)
		if (!same_prereleases(&a->prereleases[i], &b->prereleases[i]))
			return false;
	return true;
}

void semver_versions_release(struct semver_versions *versions)
{
	for (size_t i = 0; i < versions->prerelease_count; i++) {
		free(versions->prereleases[i].from);
		free(versions->prereleases[i].to);
	}
	free(versions->prereleases);
	free(versions->releases);
}
