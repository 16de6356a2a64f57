/*
 * The tests that concern what changed: those of all applied skills, and those that
 * tools/test-changed finds for the files that differ from the current build.
 */
#ifndef CLI_REBUILD_CHANGED_TESTS_H
#define CLI_REBUILD_CHANGED_TESTS_H

#include "cli/rebuild/rebuild.h"

/* ERROR_TEST if one fails. */
int changed_tests_run(struct host_rebuild *rebuild, struct error *err);

#endif
