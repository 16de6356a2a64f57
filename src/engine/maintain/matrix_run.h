/*
 * Run the test matrix (matrix.h) here, in scratch copies.
 *
 *	CLEANUP(matrix_run_release) struct matrix_run run = MATRIX_RUN_INIT;
 *	struct matrix_run_options options = MATRIX_RUN_OPTIONS_INIT;
 *
 *	options.jobs = 2;
 *	if (matrix_run(&project, &matrix, &options, &run, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < run.count; i++)
 *		… run.list[i].entry, .outcome, .message …
 *
 * Each entry gets copies of the core in its own folder in TMPDIR, with the packages of its
 * skills and the shipped resolutions for them, and nothing else of the project. The skills are
 * applied together, which runs their tests, once for each skill, so that each is applied last
 * once; an order that gives the same files as one before it is not tested again. Then everything
 * is verified and, with `removal`, the skills are removed again, and the core must be as before. Entries run in separate processes, `jobs` at a time; a failure does
 * not stop the others.
 *
 * The project's tree is never touched. .nanoclaw/matrix keeps the log and the result of each
 * entry, written as soon as it has ended, so that a crash does not lose it. The next run
 * continues from there: a passed entry does not run again while its inputs are the same
 * (matrix_store.h); a failed one always does.
 *
 * A conflict without a shipped resolution is a failure, unless the project has a recorded one of
 * its own: the entry runs again with those and, with a resolver or with `record`, with the learned
 * ones (rr_cache.h) and the resolver. A conflict that is resolved this way is recorded as a resolution, and the entry
 * runs a third time with only that resolution: it must pass then. With `record`, the resolution
 * is added to the shipped ones of the project.
 *
 * A signal (interrupt.h) ends the running entries; finished results are kept.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_RUN_H
#define ENGINE_MAINTAIN_MATRIX_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/maintain/matrix_result.h"

struct matrix_run {
	struct matrix_result *list; /* of the chosen entries, in their order */
	size_t count;
	size_t passed, unchanged, failed, not_run; /* how many of each */
	bool only_tests;                           /* all failures are failed tests */
	bool interrupted;
	double seconds;
};

#define MATRIX_RUN_INIT ((struct matrix_run){0})

/*
 * -1 only if it cannot run at all; entries that fail are results. ERROR_INVALID for an unknown
 * id in `only`; ERROR_BUSY if another run is under way in the project. If the project is not
 * locked, it is locked while a resolution is recorded.
 */
int matrix_run(const struct project *project, const struct matrix *matrix,
	const struct matrix_run_options *options, struct matrix_run *ret_run,
	struct error *err);

void matrix_run_release(struct matrix_run *run);

#endif
