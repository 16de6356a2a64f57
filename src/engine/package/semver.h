/*
 * Versions by the rules of semver.org 2.0: 1.2.3, 1.2.3-rc.1+build.5.
 */
#ifndef ENGINE_PACKAGE_SEMVER_H
#define ENGINE_PACKAGE_SEMVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/view.h"

struct semver {
	uint64_t major, minor, patch;
	char *prerelease; /* "rc.1", or NULL */
	char *build;      /* or NULL; no part of the order */
};

/* ERROR_INVALID with the reason. No "v" in front, no missing parts. */
int semver_parse(struct view text, struct semver *ret_version, struct error *err);

bool semver_is_valid(struct view text);

/* Less than, equal to or greater than 0, in the order of precedence. */
int semver_compare(const struct semver *a, const struct semver *b);

/* Compare two texts that are both valid versions. */
int semver_compare_text(const char *a, const char *b);

void semver_release(struct semver *version);

#endif
