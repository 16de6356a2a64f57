/*
 * Update the core: the project gets the changes of a new core, and keeps the changes of
 * skills, custom patches and the person.
 *
 * The steps, in this order:
 *	 1. checks: migrations, packages; unrecorded changes	unrecorded.h
 *	 2. all changes are staged, and existing files are saved	transaction.h
 *	 3. renames, moves and deletions, and `path_remap`	core_update_files.c
 *	 4. three-way merges: the old core's file, the tree's, the new core's with the
 *	    migration skills on it				core_update_migrations.c
 *	 5. conflicts: known resolutions, the resolver, a pause	ladder.h, resolve.h
 *	 6. the new base, and the old one among the earlier cores	earlier_cores.h
 *	 7. the parts of skills and custom patches in changed files are recorded again, so that
 *	    they can be replayed on the new core		core_update_records.c
 *	 8. skills whose package is newer			core_update_skills.c
 *	 9. structured operations				structured.h
 *	    and, with `rebase`, everything is flattened		rebase.h
 *	10. one install, commands, the tests of all skills	finish.h
 *	11. the commit					transaction.h
 *
 * A failure at any step leaves everything as it was before. The project must be locked and
 * recovered. With `dry_run` it is a preview: the same code on a transaction that only stays in
 * memory. Where the update would pause, the preview continues as if the person kept their own
 * side.
 *
 * After a pause, `notes` of the session has everything that the rest needs to know about the
 * new core; its source is not read again.
 */
#ifndef ENGINE_UPDATE_CORE_UPDATE_H
#define ENGINE_UPDATE_CORE_UPDATE_H

#include "engine/commit/pending.h"
#include "engine/newcore/core_source.h"
#include "engine/session/session.h"

/* The name of the operation in pause.yaml. */
#define CORE_UPDATE_OPERATION "update"

/* `typed` and `to` are as in core_source.h. */
int core_update(const struct project *project, const char *typed, const char *to,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

/*
 * Continue a paused update when all its conflicts are resolved. `batch` has the remaining
 * packages, `skills` the ones that were applied so far.
 */
struct batch;
int core_update_continue(
	struct session *s, struct batch *batch, struct string_array *skills, struct error *err);

/* Fill in the result of a paused update from the session's notes. */
void core_update_fill_result(struct session *s);

#endif
