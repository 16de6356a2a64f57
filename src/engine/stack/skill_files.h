/*
 * The files of one skill: what each becomes, staged in the session's transaction.
 *
 * The person's work is never overwritten: an existing file where the skill adds one is a
 * conflict; a file that the person deleted is a question; a file that cannot be merged as text
 * stays unchanged, with the skill's version beside it.
 */
#ifndef ENGINE_STACK_SKILL_FILES_H
#define ENGINE_STACK_SKILL_FILES_H

#include "engine/package/pack.h"
#include "engine/package/package.h"
#include "engine/session/session.h"

/*
 * Before anything is written: can there be a file at every path of the package?
 * Links, folders and what else is in the way are ERROR_INVALID.
 */
int skill_files_check(struct session *s, const struct manifest *manifest, struct error *err);

/* The total size of the package's files, in bytes. */
size_t skill_files_size(const struct package *package);

/*
 * Stage all files of the package, and record the skill in the session's state.
 * Conflicts are added to the session's result.
 */
int skill_files_stage(struct session *s, const struct package *package, struct error *err);

/* Keep the files of the package, which are in `pack`, and its manifest with the project. */
int skill_files_keep_pack(
	struct session *s, const struct package *package, struct pack *pack, struct error *err);

#endif
