/*
 * Protects the person's own files in the project (ignore.h), which no package, patch or update
 * may touch.
 *
 * A package is checked by its manifest, before anything is read. Other ways to reach such a
 * file (a remap, a patch, an update) are found among the staged changes, before the first of
 * them is applied.
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
