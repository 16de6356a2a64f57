/*
 * What the files about ranges share.
 */
#ifndef ENGINE_STRUCTURED_NPM_SEMVER_RANGE_PARTS_H
#define ENGINE_STRUCTURED_NPM_SEMVER_RANGE_PARTS_H

#include "engine/structured/npm/semver_range.h"

/* The largest number in a version of npm: up to it a double has no gaps. */
#define SEMVER_NUMBER_MAX UINT64_C(9007199254740991)

/* The same text; build metadata does not count. */
bool semver_same(const struct semver *a, const struct semver *b);

void semver_set_release(struct semver_set *set);

#endif
