/*
 * Update packages that were written for an older core to another one, by three-way merge: the
 * core's changes to a file are merged into the package's copy, and the skill's own changes stay.
 *
 *	file of the core that the skill was written for		the ancestor (core_past.h)
 *	the package's file					yours
 *	file of the new core					theirs
 *
 * A person who has the skill and updates the core gets a merge of the same three files, so the
 * same resolution fits both: a conflict is looked up and learned under the path in the core,
 * with `core` as the other side, and `resolution record` creates the resolution that an update
 * package ships.
 *
 * A file that builds on the files of other packages, according to `base_hashes`, is updated to
 * their current versions; these are updated to the new core first.
 *
 * In the manifest, `core_version`, `base_hashes` and paths that the core has renamed are edited
 * in place (yaml_edit.h). A package is up to date, and left alone, if a project with only the
 * new core can apply it.
 *
 * A package is in the project but not part of its base, so neither the tree nor the state is
 * involved. All packages of a call are one transaction. A conflict pauses it like any operation,
 * with everything else in place; `continue` needs only the resolved files. The project must be
 * locked, and recovered.
 */
#ifndef ENGINE_AUTHOR_REFRESH_H
#define ENGINE_AUTHOR_REFRESH_H

#include "engine/commit/pending.h"
#include "engine/session/session.h"

#define REFRESH_OPERATION "skill refresh"

struct refresh_request {
	const char *const *typed; /* packages, as in package_find(); none: all of the project */
	size_t count;
	const char *against; /* another core, as in core_view.h; NULL: the present one */
	const char *raise;   /* "patch", "minor" or "major": of changed packages; or NULL */
};

/* `refresh` of the result has what became of it. */
int refresh_packages(const struct project *project, const struct refresh_request *request,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

/*
 * Only look: the same on a transaction that is thrown away, and a lost ancestor or a file
 * operation that is impossible is a result.
 */
int refresh_look(const struct project *project, const struct refresh_request *request,
	struct operation_result *ret_result, struct error *err);

/* Does the package need nothing but 'skill refresh'? */
bool refresh_is_smooth(const struct refresh_package *package);

/* When all conflicts of a paused refresh are resolved. */
int refresh_continue(struct session *s, struct error *err);

/* Fill in the result of a paused refresh from the session's notes. */
void refresh_fill_result(struct session *s);

#endif
