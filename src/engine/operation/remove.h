/*
 * Removes skills: afterwards, the project is as if they had never been applied.
 *
 * Their layers are dropped from the stack (drop.h), and the thread of each file that they
 * touched is carried without them (thread.h). Unrecorded changes are merged back on top. The
 * packs of the skills and their entries in the state are deleted, and so are the custom patches
 * that are tied to them; the files of these patches stay in .nanoclaw/custom.
 *
 * A file that existed before the skill added the same content stays. If the person edited a file
 * that would be deleted, the person decides, as in file_ops.h.
 *
 * If a thread is stuck, or would lose a line that the person wrote to resolve a conflict, the
 * skill's changes are merged out of the file in the tree. Every resolution in that file stays,
 * and only lines that cannot be separated are a conflict.
 *
 * A rebase (rebase.h) combines the parts of skills permanently, so a flattened skill cannot be
 * removed as if it had never been applied. Removing one is ERROR_INVALID, unless the options say
 * `flattened`: then its part is merged out where it can be separated, and the rest is a
 * conflict.
 *
 * The tests of all remaining skills run.
 */
#ifndef ENGINE_OPERATION_REMOVE_H
#define ENGINE_OPERATION_REMOVE_H

#include "engine/session/session.h"
#include "engine/stack/drop.h"

#define REMOVE_OPERATION       "skill remove"
#define REMOVE_PATCH_OPERATION "customize remove"

bool remove_is_operation(const char *name);

/*
 * `typed` are skills as a person names them (package.h), which must be applied. Other skills
 * may build on them: they depend on one, change a file that it adds or has renamed, or use a
 * name that it has freed. These are removed too with `with_dependents`, and are ERROR_INVALID
 * without.
 */
int remove_skills(const struct project *project, const char *const *typed, size_t count,
	bool with_dependents, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err);

/*
 * The same for one custom patch, found with custom_find(). Its files stay in .nanoclaw/custom
 * (drop.h).
 */
int remove_patch(const struct project *project, const char *typed,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

#endif
