/*
 * Take skills out again: the project becomes as if they had never been applied.
 *
 * Their layers are dropped from the stack (drop.h), and the thread of each file that they
 * touched is carried without them (thread.h). Changes that the person did not record are
 * merged back on top. Their packs and their entries in the state go, and so do the custom
 * patches that are tied to them; the files of these patches stay in .nanoclaw/custom.
 *
 * Whatever is somebody else's stays: a file that was there before the skill added the
 * same; and a file that the person changed is a decision, as in file_ops.h.
 *
 * Where a thread is stuck, or would lose a line that the person wrote to settle a conflict,
 * the skill's changes are merged out of the file as it is in the tree: everything that was
 * settled in it holds, and only what cannot be told apart is a conflict.
 *
 * A skill that a rebase has flattened (rebase.h) was settled with others once and for all:
 * it cannot be taken out as if it had never been there. That is ERROR_INVALID, unless the
 * options say `flattened`: then its part is merged out as far as it can be told apart, and
 * the rest is a conflict.
 *
 * The tests of all skills that are left are run.
 */
#ifndef ENGINE_OPERATION_REMOVE_H
#define ENGINE_OPERATION_REMOVE_H

#include "engine/session/session.h"
#include "engine/stack/drop.h"

#define REMOVE_OPERATION       "skill remove"
#define REMOVE_PATCH_OPERATION "customize remove"

/* One of the two? */
bool remove_is_operation(const char *name);

/*
 * Skills as a person names them (package.h), which must be applied. Skills that build on
 * them (internal.h) are ERROR_INVALID, or are removed, too.
 */
int remove_skills(const struct project *project, const char *const *typed, size_t count,
	bool with_dependents, const struct apply_options *options,
	struct apply_result *ret_result, struct error *err);

/*
 * The same for one custom patch, as custom_find() knows it. Its files stay in
 * .nanoclaw/custom (custom_discard.h).
 */
int remove_patch(const struct project *project, const char *typed,
	const struct apply_options *options, struct apply_result *ret_result,
	struct error *err);

#endif
