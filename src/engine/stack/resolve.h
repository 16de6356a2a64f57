/*
 * Calls the resolver in an operation, and applies its edits.
 *
 * It is called for the conflicts of a skill before a person is asked, and again if everything
 * was merged but a test fails, because a clean merge need not be working code.
 */
#ifndef ENGINE_STACK_RESOLVE_H
#define ENGINE_STACK_RESOLVE_H

#include "engine/session/session.h"

/*
 * Ask for the conflicts in the session's result, if there is a resolver. Resolved
 * files are staged, and their conflicts are taken out of the result; the others stay, with a
 * warning that says why.
 */
int resolve_conflicts(struct session *s, const char *operation, struct error *err);

/*
 * For a person who is resolving a paused operation: ask the resolver about one file. Nothing is
 * written. ERROR_FAILED with the reason if the answer is not usable.
 */
int resolve_paused(const struct project *project, const struct operation_options *options,
	const struct conflict *conflict, struct buf *ret_content, struct error *err);

/*
 * After a failed test, with everything undone: show the merged files (`merges` of the
 * session) and the output of the test. Accepted edits are added to `*ret_overrides` for a
 * second attempt; it stays empty if the resolver offers none.
 */
int resolve_failed_test(struct session *s, const char *operation, const char *output,
	struct overrides *ret_overrides, struct error *err);

/* In the second attempt: stage the resolver's files before the tests. */
int resolve_use_overrides(struct session *s, struct error *err);

void overrides_release(struct overrides *overrides);

#endif
