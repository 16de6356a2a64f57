/*
 * Bring packages that were written for an older core up to another one, by three-way merge:
 * what the core has changed in a file comes into the package's copy of it, and what the skill
 * has changed stays.
 *
 *	file of the core that the skill was written for		the ancestor (core_past.h)
 *	the package's file					yours
 *	file of the new core					theirs
 *
 * These are the three files that a person meets who has the skill and updates the core. So what
 * resolves the one resolves the other: a conflict is looked up and learned under the path in the
 * core, with `core` as the other side, and `resolution record` makes of it what an update
 * package ships.
 *
 * A file that was made on top of those of other packages, as `base_hashes` says, is brought to
 * what these are now, and they are brought to the new core first.
 *
 * Of the manifest, `core_version`, `base_hashes` and paths that the core has renamed are
 * written, in place (yaml_edit.h). A package is fresh, and left alone, if a project that has
 * nothing but the new core can apply it.
 *
 * The package lies in the project and is no part of its base, so that neither the tree nor the
 * state has anything to do with it. All packages of a call are one transaction. What conflicts
 * pauses as in any operation, with everything else in place; `continue` needs only what was
 * resolved. The project must be locked, and recovered.
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
