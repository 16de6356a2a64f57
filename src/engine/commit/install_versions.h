/*
 * The versions of packages that an install really installed.
 */
#ifndef ENGINE_COMMIT_INSTALL_VERSIONS_H
#define ENGINE_COMMIT_INSTALL_VERSIONS_H

#include "engine/session/session.h"

/*
 * The version of a package in node_modules, by its own package.json; to be freed. NULL if the
 * package is missing or has no version. Links, which pnpm uses, are followed, but never out of
 * the project; a kernel that cannot guarantee that (before Linux 5.6) follows none.
 */
int install_find_version(const struct project *project, const char *package, char **ret_version,
	struct error *err);

/*
 * Write the version of every package in `structured_outcomes`, `npm_dependencies` of
 * the state beside it, as `installed`, and into the session's result.
 */
int install_versions_record(struct session *s, struct error *err);

#endif
