/*
 * The shared cache: conflicts that somebody has resolved before, here or elsewhere.
 *
 * A resolution is used only if everything is the same: the hashes of all three files
 * that are merged, and the hash of the recorded result itself. If one byte differs,
 * the resolution is ignored. Its skills must be applied or being applied, in the same
 * versions if it names versions. One whose
 * tests have failed is not used.
 *
 * Resolutions of an update of the core (`shipped` of the session) come first, then the
 * project's own (.nanoclaw/resolutions), then shipped ones (.claude/resolutions).
 *
 * When a conflict occurs, with the state from before the skill is recorded:
 *
 *	CLEANUP(resolution_found_release) struct resolution_found found =
 *		RESOLUTION_FOUND_INIT;
 *	struct resolution_query query = {
 *		.path = path,
 *		.inputs = {.has_base = …, .base = …, .current = …, .skill = …},
 *		.skill = manifest->skill,
 *		.version = manifest->version,
 *	};
 *
 *	if (resolutions_find(session, &query, &found))
 *		… found.content is the resolved file
 *
 * In a session, the names of the folders are read once, and so is a meta.yaml, if the name of
 * its folder matches; so thousands of folders cost next to nothing. A broken one is skipped with
 * a warning: a cache must not make an operation fail.
 */
#ifndef ENGINE_CONFLICT_RESOLUTIONS_H
#define ENGINE_CONFLICT_RESOLUTIONS_H

#include "engine/resolution/resolution_folder.h"
#include "engine/session/session.h"

struct resolution_query {
	const struct relpath *path;
	struct resolution_inputs inputs;
	const char *skill;   /* the one that is being applied, or NULL */
	const char *version; /* and its version */
};

struct resolution_found {
	struct buf content;
	bool shipped;
};

#define RESOLUTION_FOUND_INIT ((struct resolution_found){.content = BUF_INIT})

bool resolutions_find(struct session *s, const struct resolution_query *query,
	struct resolution_found *ret_found);

void resolution_found_release(struct resolution_found *found);

/*
 * The skills that a resolution for the path is about: the applied ones that have
 * the path, in their order, and the one that is being applied (which may be NULL). Skills
 * that came after it are left out: they had no part in it.
 */
void resolutions_involved(const struct state *state, const struct relpath *path,
	const char *skill, const char *version, struct resolution_skills *ret_skills);

#endif
