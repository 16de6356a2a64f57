/*
 * Records a file of a skill: in the entry of the skill and, for a new version of an applied
 * skill, in the layers above it.
 *
 * A new version replaces a layer, maybe below others (thread.h). Each of those keeps its own
 * part of the file. If the new version pauses on a conflict, the parts stay recorded as they
 * were before, and the path is listed in `files_unsplit` of the entry; skill_record_resolved()
 * then splits the resolved file.
 */
#ifndef ENGINE_STACK_SKILL_RECORD_H
#define ENGINE_STACK_SKILL_RECORD_H

#include "engine/conflict/file_merge.h"
#include "engine/session/session.h"

/* The skill that is being staged. */
struct skill_record {
	struct session *session;
	const char *skill;
	struct yaml_node *entry; /* on its way into the state, which still has the old one */
};

/* A file of the package: `merged` is how the file is now. */
int skill_record_file(const struct skill_record *r, bool added, const struct relpath *path,
	const struct tx_file *ancestor, const struct tx_file *want,
	const struct layer_file *merged, struct error *err);

/* A file that the version before changed, and the new one does not. */
int skill_record_dropped(const struct skill_record *r, const struct relpath *path,
	const struct layer_file *merged, struct error *err);

/* A conflict was resolved, and the file is `resolved` now. */
int skill_record_resolved(struct session *s, const struct conflict *conflict,
	const struct tx_file *resolved, struct error *err);

#endif
