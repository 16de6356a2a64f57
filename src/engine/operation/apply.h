/*
 * Apply skills. continue.h continues after a pause.
 *
 * The steps, in this order:
 *	 1. checks before anything is touched	batch.h
 *	 2. all changes are staged, and existing files are saved	transaction.h
 *	 3. file operations			file_ops.h
 *	 4. new files, and
 *	 5. three-way merges			skill_files.h
 *	 6. conflicts: known resolutions, the resolver, a pause	ladder.h, resolve.h, finish.h
 *	 7. structured operations		structured.h
 *	 8. the state				state.h
 *	 9. the person agrees to commands	commands.h
 *	10. one install				install.h
 *	11. commands and tests			commands.h
 *	12. the commit				transaction.h
 *
 * A failure at any step leaves everything as it was before. The project must be locked and
 * recovered.
 */
#ifndef ENGINE_OPERATION_APPLY_H
#define ENGINE_OPERATION_APPLY_H

#include "engine/commit/pending.h"
#include "engine/operation/batch.h"
#include "engine/session/session.h"

/* The operation's name in the history and in messages. */
#define APPLY_OPERATION "skill apply"

/* `typed` are skills as a person names them (package.h). */
int apply_skills(const struct project *project, const char *operation, const char *const *typed,
	size_t count, const struct operation_options *options,
	struct operation_result *ret_result, struct error *err);

/*
 * Stage skill after skill; stop at the first one with conflicts. Staged skills are added to
 * `skills`. With an empty batch: steps 7 to 12 for an operation that has staged all its files
 * and has no open conflict, with the commands of `skills`.
 */
int apply_batch(struct session *s, const char *operation, const struct batch *batch,
	struct string_array *skills, struct error *err);

/* Save the base, and write a state without skills. */
int apply_init(const struct project *project, const char *core_version,
	struct operation_result *ret_result, struct error *err);

#endif
