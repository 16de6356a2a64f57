/*
 * The right ancestor for a merge: the file that the skill was written against.
 *
 * In this order:
 *  1. the file of the version of this skill that is applied (an update); if the two
 *     were written for two cores that are known, as it would be on the new one's;
 *  2. the file whose hash `base_hashes` of the manifest names: the present base,
 *     one that is kept in .nanoclaw/objects, or that of a skill on which it depends, and
 *     on top of whose lines it was written;
 *  3. for a file that is not in the base, and that another applied skill added:
 *     that skill's file;
 *  4. the file of the core that the manifest names, if the project had that before
 *     (earlier_cores.h);
 *  5. the present base, if the skill was written for this core or a later one, or
 *     if its file has every line of the base.
 * When layers are staged again (restage.h), the recorded ancestor is used instead.
 *
 * With a wrong ancestor, the merge would silently remove lines that were added to the core
 * later. So without one it is refused, and the error lists these lines, unless the person
 * accepts the risk.
 */
#ifndef ENGINE_STACK_ANCESTOR_H
#define ENGINE_STACK_ANCESTOR_H

#include "engine/conflict/file_merge.h"
#include "engine/package/manifest.h"
#include "engine/package/pack.h"
#include "engine/session/session.h"

/* A hint: the first apply would take the skill's own change for the core's. */
#define CORE_WITHOUT_CHANGE                                                                    \
	"save the core without the change first: 'git stash -u', 'nanoclaw init', 'git stash pop'"

/*
 * `path` is as the package has it, maybe an old name (remap.h). `old` is the pack of
 * the applied version of the same skill, empty if there is none; `theirs` is the file
 * in the package.
 */
int ancestor_find(struct session *s, const struct manifest *manifest, const struct pack *old,
	const struct relpath *path, struct view theirs, struct ancestor *ret_ancestor,
	struct error *err);

#endif
