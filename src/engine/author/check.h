/*
 * Finds all faults of packages: on their own (package.h), with the core that they are written
 * for, and with other packages.
 *
 *	CLEANUP(check_results_release) struct check_results results = {0};
 *
 *	if (check_packages(project, folders, count, true, &results, err) < 0)
 *		return -1;
 *
 * The core is .nanoclaw/base of the project, or the project itself if it has no base. The other
 * packages are the project's, and the ones that are checked together. Nothing is changed.
 *
 * refresh_look() compares packages with another core.
 */
#ifndef ENGINE_AUTHOR_CHECK_H
#define ENGINE_AUTHOR_CHECK_H

#include "engine/disk/project.h"
#include "engine/package/faults.h"

struct check_result {
	char *skill;  /* NULL if the manifest does not name it */
	char *folder; /* as it can be shown */
	struct faults faults;
};

struct check_results {
	struct check_result *list; /* in the order of the folders */
	size_t count;
};

/*
 * Without `with_core` the core is left out. A package that cannot be read is a result with a
 * fault; -1 is for a project or a core that cannot be read.
 */
int check_packages(const struct project *project, const char *const *folders, size_t count,
	bool with_core, struct check_results *ret_results, struct error *err);

void check_results_release(struct check_results *results);

#endif
