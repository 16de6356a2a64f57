#include <string.h>

#include "engine/structured/npm/semver_range.h"

int semver_release_compare(struct semver_release a, struct semver_release b)
{
	if (a.major != b.major)
		return a.major < b.major ? -1 : 1;
	if (a.minor != b.minor)
		return a.minor < b.minor ? -1 : 1;
	return (a.patch > b.patch) - (a.patch < b.patch);
}

static int compare_prereleases(const char *a, const char *b)
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

/* Narrow an end if the version is further in: above a start (1), or below a stop (-1). */
static void narrow(struct end *end, const struct semver *version, bool inclusive, int direction)
{
	int order = end->version ? semver_compare(version, end->version) * direction : 1;

	if (order > 0)
		*end = (struct end){version, inclusive};
	else if (!order)
		end->inclusive = end->inclusive && inclusive;
}

static struct semver_release release_of(const struct semver *version)
{
	return (struct semver_release){version->major, version->minor, version->patch};
}

/* The first release from here on, or after here; numbers end where node-semver's end. */
static struct semver_release first_release(const struct semver *version, bool behind)
{
	struct semver_release release = release_of(version);

	if (!behind || version->prerelease)
		return release;
	if (release.patch < SEMVER_NUMBER_MAX)
		return (struct semver_release){release.major, release.minor, release.patch + 1};
	if (release.minor < SEMVER_NUMBER_MAX)
		return (struct semver_release){release.major, release.minor + 1, 0};
	if (release.major < SEMVER_NUMBER_MAX)
		return (struct semver_release){release.major + 1, 0, 0};
	return SEMVER_RELEASE_TOP;
}

/* --- from ranges ------------------------------------------------------------------------- */

/* Versions on their way into an arena. */
struct collector {
	struct semver_versions versions;
	struct arena *arena;
};

static void add_releases(
	struct collector *c, struct semver_release from, struct semver_release to)
{
	struct semver_versions *v = &c->versions;

	if (semver_release_compare(from, to) >= 0)
		return;
	v->releases = arena_grow(
		c->arena, v->releases, v->release_count, &v->release_cap, sizeof(*v->releases));
	v->releases[v->release_count++] = (struct semver_release_span){from, to};
}

static void add_prereleases(
	struct collector *c, struct semver_release of, const char *from, const char *to)
{
	struct semver_versions *v = &c->versions;

	if (to && compare_prereleases(from, to) >= 0)
		return;
	v->prereleases = arena_grow(c->arena, v->prereleases, v->prerelease_count,
		&v->prerelease_cap, sizeof(*v->prereleases));
	v->prereleases[v->prerelease_count++] = (struct semver_prerelease_span){of, from, to};
}

/*
 * The prerelease of `of` that an end names, or the one right after it: nothing is between
 * "rc" and "rc.0". `otherwise` if it names none.
 */
static const char *named_prerelease(struct collector *c, struct semver_release of,
	const struct end *end, bool behind, const char *otherwise)
{
	const struct semver *version = end->version;
	CLEANUP(buf_release) struct buf text = BUF_INIT;

	if (!version || !version->prerelease || semver_release_compare(release_of(version), of))
		return otherwise;
	buf_appendf(&text, "%s%s", version->prerelease, behind ? ".0" : "");
	return arena_copy(c->arena, text.data, text.len);
}

/* The prereleases of `of` between the ends. */
static void add_named(struct collector *c, struct semver_release of, const struct end *from,
	const struct end *to)
{
	add_prereleases(c, of, named_prerelease(c, of, from, !from->inclusive, "0"),
		named_prerelease(c, of, to, to->inclusive, NULL));
}

static void add_set(struct collector *c, const struct semver_set *set)
{
	struct end from = {0}, to = {0};
	bool from_named, to_named;

	for (size_t i = 0; i < set->count; i++) {
		enum semver_operator op = set->list[i].op;
		const struct semver *version = &set->list[i].version;
		bool inclusive = op != SEMVER_LESS && op != SEMVER_GREATER;

		if (op == SEMVER_GREATER || op == SEMVER_GREATER_EQUAL || op == SEMVER_EQUAL)
			narrow(&from, version, inclusive, 1);
		if (op == SEMVER_LESS || op == SEMVER_LESS_EQUAL || op == SEMVER_EQUAL)
			narrow(&to, version, inclusive, -1);
	}
	if (from.version && to.version) {
		int order = semver_compare(from.version, to.version);

		if (order > 0 || (!order && !(from.inclusive && to.inclusive)))
			return;
	}
	add_releases(c,
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
		add_named(c, release_of(from.version), &from, &to);
	if (to_named && !(from_named && !semver_release_compare(release_of(from.version),
						release_of(to.version))))
		add_named(c, release_of(to.version), &from, &to);
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

	return order ? order : compare_prereleases(span_a->from, span_b->from);
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

static void join_prereleases(struct semver_versions *versions)
{
	struct semver_prerelease_span *list = versions->prereleases;
	size_t count = 0;

	if (versions->prerelease_count > 1)
		qsort(list, versions->prerelease_count, sizeof(*list), by_prerelease);
	for (size_t i = 0; i < versions->prerelease_count; i++) {
		struct semver_prerelease_span *last = count ? &list[count - 1] : NULL;
		struct semver_prerelease_span next = list[i];

		if (!last || semver_release_compare(last->of, next.of) ||
			(last->to && compare_prereleases(next.from, last->to) > 0))
			list[count++] = next;
		else if (last->to && (!next.to || compare_prereleases(next.to, last->to) > 0))
			last->to = next.to;
	}
	versions->prerelease_count = count;
}

struct semver_versions semver_versions_of(const struct semver_range *range, struct arena *arena)
{
	struct collector c = {.arena = arena};

	for (size_t i = 0; i < range->count; i++)
		add_set(&c, &range->sets[i]);
	join_releases(&c.versions);
	join_prereleases(&c.versions);
	return c.versions;
}

/* --- what two have in common ---------------------------------------------------- */

static void add_common_releases(struct collector *c, const struct semver_release_span *a,
	const struct semver_release_span *b)
{
	add_releases(c, semver_release_compare(a->from, b->from) > 0 ? a->from : b->from,
		semver_release_compare(a->to, b->to) < 0 ? a->to : b->to);
}

static void add_common_prereleases(struct collector *c, const struct semver_prerelease_span *a,
	const struct semver_prerelease_span *b)
{
	const char *to = a->to;

	if (semver_release_compare(a->of, b->of) != 0)
		return;
	if (!to || (b->to && compare_prereleases(b->to, to) < 0))
		to = b->to;
	add_prereleases(
		c, a->of, compare_prereleases(a->from, b->from) > 0 ? a->from : b->from, to);
}

struct semver_versions semver_versions_common(
	const struct semver_versions *a, const struct semver_versions *b, struct arena *arena)
{
	struct collector c = {.arena = arena};

	for (size_t i = 0; i < a->release_count; i++)
		for (size_t k = 0; k < b->release_count; k++)
			add_common_releases(&c, &a->releases[i], &b->releases[k]);
	for (size_t i = 0; i < a->prerelease_count; i++)
		for (size_t k = 0; k < b->prerelease_count; k++)
			add_common_prereleases(&c, &a->prereleases[i], &b->prereleases[k]);
	return c.versions;
}

/* -------------------------------------------------------------------------------- */

bool semver_versions_none(const struct semver_versions *versions)
{
	return !versions->release_count && !versions->prerelease_count;
}

bool semver_versions_equal(const struct semver_versions *a, const struct semver_versions *b)
{
	if (a->release_count != b->release_count || a->prerelease_count != b->prerelease_count)
		return false;
	for (size_t i = 0; i < a->release_count; i++)
		if (semver_release_compare(a->releases[i].from, b->releases[i].from) ||
			semver_release_compare(a->releases[i].to, b->releases[i].to))
			return false;
	for (size_t i = 0; i < a->prerelease_count; i++) {
		const struct semver_prerelease_span *x = &a->prereleases[i];
		const struct semver_prerelease_span *y = &b->prereleases[i];

		if (semver_release_compare(x->of, y->of) || strcmp(x->from, y->from) != 0 ||
			!x->to != !y->to || (x->to && strcmp(x->to, y->to) != 0))
			return false;
	}
	return true;
}
