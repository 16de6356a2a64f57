/*
 * Node's package managers, and which one a project uses.
 */
#ifndef ENGINE_COMMIT_INSTALL_MANAGER_H
#define ENGINE_COMMIT_INSTALL_MANAGER_H

#include <stdbool.h>

#include "base/view.h"
#include "engine/disk/project.h"

#define INSTALL_MANIFEST "package.json"
#define INSTALL_MODULES  "node_modules"

struct install_manager {
	const char *name;           /* also of its program */
	const char *const *install; /* its arguments; a NULL ends this and all other lists */
	/*
	 * Restore node_modules from the lockfile and the manager's cache, changing neither
	 * lockfile nor manifest; NULL if the manager cannot do that.
	 */
	const char *const *offline;
	const char *restore; /* what a person types to install from the lockfile */
	/* Lockfiles, any of which means this manager. */
	const char *const *locks;
	/* Other files in the root that an install writes, and that people commit. */
	const char *const *others;
};

struct install_choice {
	const struct install_manager *manager;
	const struct install_manager *other; /* one that has a lockfile as well, or NULL */
	bool has_lock;
};

/*
 * By its lockfile; if several managers have one, or none has, by `packageManager` in
 * the manifest, which may be "" or faulty; else the first, or npm.
 */
struct install_choice install_choose(const struct project *project, struct view manifest);

/* Is it the lockfile of one of the managers, in the root? */
bool install_is_lockfile(const char *path);

/* … of the one that installs in this project? */
bool install_writes(const struct project *project, struct view manifest, const char *path);

/* The command as text, to be freed. */
char *install_command_text(const char *const *argv);

/* What a person types to install from manifest and lockfile; to be freed. */
char *install_by_hand(const struct install_choice *choice);

#endif
