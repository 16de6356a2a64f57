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
 * Each entry gets copies of the core, in a folder of its own in TMPDIR, with the packages of
 * its skills and the shipped resolutions for them, and nothing else of the project. The skills
 * are applied together, which runs their tests: once for each skill, so that each is the last
 * one once. Then everything is verified and, with `removal`, the skills are removed again and
 * the core must be as before. Entries run in processes of their own, `jobs` at a time; one that
 * fails does not stop the others.
 *
 * The project's tree is never touched. .nanoclaw/matrix keeps the log and the result of each
 * entry, written as soon as it has ended, so that a crash does not lose it. The next run goes
 * on from there: an entry that has passed does not run again while its inputs are the same
 * (matrix_store.h); one that has failed always does.
 *
 * A conflict without a shipped resolution is a failure. With a resolver, or with
 * `record`, the entry is tried again with what the project knows: its own resolutions, what it
 * has learned (rr_cache.h), and the resolver. A conflict that is resolved so is recorded as a
 * resolution, and the entry runs a third time from that alone: only then has it passed. With
 * `record` the resolution is put into the project, which ships it.
 *
 * A signal (interrupt.h) ends the running entries; finished results are kept.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_RUN_H
#define ENGINE_MAINTAIN_MATRIX_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/maintain/matrix.h"
#include "fs/relpath.h"

#define MATRIX_FOLDER          ".nanoclaw/matrix"
#define MATRIX_DEFAULT_SECONDS 1800
#define MATRIX_MAX_JOBS        256

enum matrix_outcome {
	MATRIX_NOT_RUN, /* a signal came first */
	MATRIX_PASSED,
	MATRIX_UNCHANGED, /* passed before, and nothing has changed since */
	MATRIX_FAILED,    /* the first failure: not applied, verified or removed */
	MATRIX_TEST_FAILED,
	MATRIX_CONFLICT,
	MATRIX_TIMED_OUT,
};

extern const char *const matrix_outcome_names[];

struct matrix_result {
	const struct matrix_entry *entry;
	enum matrix_outcome outcome;
	double seconds;
	char *message;                 /* why it has failed: several lines; or NULL */
	char *hint;                    /* what to type next; or NULL */
	struct string_array conflicts; /* files with an unresolved conflict */
	struct string_array resolved;  /* files with a conflict that has a resolution */
	struct string_array learned;   /* names of new resolutions */
	bool recorded;                 /* these are in the project now */
	char *log;                     /* its path in the project */
	char *kept;                    /* path of the copy that was kept; or NULL */
};

struct matrix_run {
	struct matrix_result *list; /* of the chosen entries, in their order */
	size_t count;
	size_t passed, unchanged, failed, not_run; /* how many of each */
	bool only_tests;                           /* all failures are failed tests */
	bool interrupted;
	double seconds;
};

#define MATRIX_RUN_INIT ((struct matrix_run){0})

/* Called while it runs; each may be NULL. `worker` is below `jobs`. */
struct matrix_watcher {
	void *data;
	void (*begun)(const struct matrix_run *run, void *data);
	void (*started)(const struct matrix_entry *entry, size_t worker, void *data);
	void (*ended)(const struct matrix_result *result, size_t worker, void *data);
	void (*ticked)(void *data); /* a few times in a second */
};

struct matrix_run_options {
	size_t jobs;
	struct string_array only; /* ids, the caller's; empty: all */
	bool fresh;               /* run unchanged entries, too */
	unsigned seconds;         /* for one entry */
	unsigned test_seconds;    /* for one test */
	bool no_install;
	bool removal;                 /* remove the skills again */
	bool keep;                    /* keep the copies of entries that fail */
	const char *resolver;         /* a command, or NULL */
	const struct relpath *record; /* a folder of the project for resolutions; or NULL */
	struct matrix_watcher watcher;
};

#define MATRIX_RUN_OPTIONS_INIT                                                                \
	((struct matrix_run_options){                                                          \
		.jobs = 1, .seconds = MATRIX_DEFAULT_SECONDS, .test_seconds = 120})

/*
 * -1 only if it cannot run at all; entries that fail are results. ERROR_INVALID for an unknown
 * id in `only`; ERROR_BUSY if another run is under way in the project. If the project is not
 * locked, it is locked while a resolution is recorded.
 */
int matrix_run(const struct project *project, const struct matrix *matrix,
	const struct matrix_run_options *options, struct matrix_run *ret_run,
	struct error *err);

bool matrix_outcome_is_failure(enum matrix_outcome outcome);

void matrix_run_release(struct matrix_run *run);

#endif
