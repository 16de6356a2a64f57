/*
 * What no package, patch or update may touch: what is a person's in the project (ignore.h).
 *
 * A package is checked by its manifest, before anything is read. Whatever leads there by another
 * way (a remap, a patch, an update) is found among the staged changes, before the first of them
 * is made.
 */
#ifndef ENGINE_SESSION_CONFINE_H
#define ENGINE_SESSION_CONFINE_H

#include "engine/package/manifest.h"
#include "engine/session/session.h"

/* A fault for every such path; -1 only if the rules of the project cannot be read. */
int confine_check_manifest(const struct project *project, const struct manifest *manifest,
	struct faults *faults, struct error *err);

/*
 * ERROR_INVALID if such a path is among the staged changes, unless the state that is on the disk
 * has recorded it: a skill of an older version may have added it, and can be removed.
 */
int confine_check_staged(struct session *s, struct error *err);

#endif
