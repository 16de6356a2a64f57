/*
 * Update applied skills whose package on the disk is newer.
 *
 * The new version replaces the applied one (skill_files.h): its files are merged with the
 * files of the old version as the ancestor, so the lines of other skills, of custom patches
 * (also tied ones) and of the person stay. Unlike apply_skills() it never goes back to an
 * older version.
 */
#ifndef ENGINE_OPERATION_SKILL_UPDATE_H
#define ENGINE_OPERATION_SKILL_UPDATE_H

#include "engine/session/session.h"

#define SKILL_UPDATE_OPERATION "skill update"

/*
 * `typed` are skills as a person names them (package.h), which must be applied; if `count` is
 * 0, all applied skills. For a skill without a newer package the result says so.
 */
int update_skills(const struct project *project, const char *const *typed, size_t count,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

#endif
