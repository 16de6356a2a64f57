/*
 * Records how a conflict was resolved, for later merges and for other projects.
 *
 * The recording is staged in the session's transaction, as
 *
 *	FOLDER/a@1.0.0+b@1.0.0/meta.yaml, PATH.resolution, PATH.preimage
 *
 * An existing folder for the same skills is extended: its other files, and unknown keys of
 * meta.yaml, stay. A damaged folder is ERROR_INVALID, because only its owner can repair it.
 */
#ifndef ENGINE_CONFLICT_RESOLUTION_RECORD_H
#define ENGINE_CONFLICT_RESOLUTION_RECORD_H

#include "engine/resolution/resolution_folder.h"
#include "engine/session/session.h"

/* One file that was resolved. */
struct resolution_entry {
	const struct relpath *path;
	struct resolution_inputs inputs;
	struct view content;
	struct view preimage; /* may be empty */
};

/* Facts that are the same for all files in a folder. */
struct resolution_about {
	const struct resolution_skills *skills; /* the first that was applied comes first */
	const char *core_version;
	const char *source; /* "user", "claude" or "maintainer" */
	bool tested;
	bool test_passed;
};

/*
 * Stage these files. `*ret_changed` is false, and nothing is staged, if all this is
 * recorded already.
 */
int resolution_record(struct session *s, const struct relpath *folder,
	const struct resolution_about *about, const struct resolution_entry *entries,
	size_t count, bool *ret_changed, struct error *err);

#endif
