/*
 * Update the core: the project gets what is new in another core, and keeps what skills,
 * custom patches and the person have made of the old one.
 *
 * The steps, in this order:
 *	 1. checks: migrations, packages; changes that are not recorded	unrecorded.h
 *	 2. everything is computed aside, and what is there is saved	transaction.h
 *	 3. renames, moves and deletions, and `path_remap`	core_update_files.c
 *	 4. three-way merges: the old core's file, the tree's, the new core's with the
 *	    migration skills on it				core_update_migrations.c
 *	 5. conflicts: what is known, the resolver, a pause	ladder.h, resolve.h
 *	 6. the new base, and the old one among the earlier cores	core_update_base.c
 *	 7. what skills and custom patches have made of the changed files is recorded anew, so
 *	    that it can be replayed on the new core	core_update_records.c
 *	 8. skills whose package is newer			core_update_skills.c
 *	 9. structured operations				structured.h
 *	    and, if that is asked for, all of it is flattened	rebase.h
 *	10. one install, commands, the tests of all skills	finish.h
 *	11. the commit					transaction.h
 *
 * A failure in any of them leaves everything as it was before. The project must be locked,
 * and recovered. With `dry_run` it is a preview: the same code on a transaction that only
 * can be looked at. Where it would pause, it goes on as if the person kept their own side.
 *
 * After a pause, `notes` of the session has what the rest needs to know of the new core;
 * where that came from is not looked at again.
 */
#ifndef ENGINE_UPDATE_CORE_UPDATE_H
#define ENGINE_UPDATE_CORE_UPDATE_H

#include "engine/commit/pending.h"
#include "engine/newcore/core_source.h"
#include "engine/session/session.h"

/* As it is called where it is paused. */
#define CORE_UPDATE_OPERATION "update"

/* `typed` and `to` are as in core_source.h. */
int core_update(const struct project *project, const char *typed, const char *to,
	const struct operation_options *options, struct operation_result *ret_result,
	struct error *err);

/*
 * When all conflicts of a paused update are resolved: what was still to do. `batch` has
 * the packages that remain, `skills` those that were applied so far.
 */
struct batch;
int core_update_continue(
	struct session *s, struct batch *batch, struct string_array *skills, struct error *err);

/* Fill in the result of a paused update from the session's notes. */
void core_update_fill_result(struct session *s);

#endif
