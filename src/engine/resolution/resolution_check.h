/*
 * Finds all faults of recorded resolutions: on their own, and compared with the packages and the
 * core of a project.
 *
 *	CLEANUP(resolution_checks_release)
 *	struct resolution_checks checks = RESOLUTION_CHECKS_INIT;
 *
 *	if (resolution_check(project, "vendor/resolutions", &checks, err) < 0)
 *		return -1;
 *
 * For each folder it checks that meta.yaml is well formed, that every result matches its
 * recorded hash and has no conflict markers, that the packages of the skills exist in these
 * versions, that `base` is the core's file (or that of a package that adds it), that `skill` is
 * the package's file, and that `current` is the result of applying the other skills to the
 * core's file in their order. If `current` cannot be computed, a note says so.
 */
#ifndef ENGINE_RESOLUTION_RESOLUTION_CHECK_H
#define ENGINE_RESOLUTION_RESOLUTION_CHECK_H

#include "engine/disk/project.h"
#include "engine/package/faults.h"
#include "engine/resolution/resolution_folder.h"

struct resolution_checked {
	char *shown; /* the folder, as it can be shown */
	char *entry; /* and its name in the store; "." if that is the folder itself */
	struct resolution_folder folder; /* closed: there may be thousands */
	struct faults faults;
};

struct resolution_checks {
	struct resolution_checked *list; /* sorted by name */
	size_t count;
	size_t cap;
	int store; /* the open folder that was named, or -1 */
};

#define RESOLUTION_CHECKS_INIT ((struct resolution_checks){.store = -1})

/*
 * Check a folder of resolutions, or a folder that contains several. NULL means both of the
 * project's own. Returns -1 only if the folder cannot be read at all. `foreign` resolutions
 * come from somewhere else: it is no error if a skill or a core is not here.
 */
int resolution_check(const struct project *project, const char *folder, bool foreign,
	struct resolution_checks *ret_checks, struct error *err);

void resolution_checks_release(struct resolution_checks *checks);

#endif
