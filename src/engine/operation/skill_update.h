/*
 * Apply applied skills again whose package on the disk is newer.
 *
 * A newer version takes the place of the one that is applied (skill_files.h): its files
 * are merged with those of that version as the ancestor, so what other skills, custom
 * patches (those that are tied to it, too) and the person put in stays. Unlike
 * apply_skills() it never goes back to an older version.
 */
#ifndef ENGINE_OPERATION_SKILL_UPDATE_H
#define ENGINE_OPERATION_SKILL_UPDATE_H

#include "engine/session/session.h"

#define SKILL_UPDATE_OPERATION "skill update"

/*
 * Skills as a person names them (package.h), which must be applied; all that are applied
 * if `count` is 0. Where nothing is newer, the result says so of each of them.
 */
int update_skills(const struct project *project, const char *const *typed, size_t count,
	const struct apply_options *options, struct apply_result *ret_result,
	struct error *err);

#endif
