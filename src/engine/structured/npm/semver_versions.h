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
#ifndef ENGINE_STRUCTURED_NPM_SEMVER_VERSIONS_H
#define ENGINE_STRUCTURED_NPM_SEMVER_VERSIONS_H

#include "engine/structured/npm/semver_range.h"

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
	char *from; /* "0" is the first of all */
	char *to;   /* NULL: up to the release */
};

struct semver_versions {
	struct semver_release_span *releases;
	size_t release_count;
	size_t release_cap;
	struct semver_prerelease_span *prereleases;
	size_t prerelease_count;
	size_t prerelease_cap;
};

#define SEMVER_VERSIONS_INIT ((struct semver_versions){0})

void semver_versions_of(const struct semver_range *range, struct semver_versions *ret_versions);
void semver_versions_common(const struct semver_versions *a, const struct semver_versions *b,
	struct semver_versions *ret_versions);

bool semver_versions_none(const struct semver_versions *versions);
bool semver_versions_equal(const struct semver_versions *a, const struct semver_versions *b);

int semver_release_compare(struct semver_release a, struct semver_release b);
int semver_prerelease_compare(const char *a, const char *b);

void semver_versions_release(struct semver_versions *versions);

#endif
