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
 * Each entry gets a copy of the core, in a folder of its own in TMPDIR, with the packages of
 * its skills and the shipped resolutions that are about them, and nothing else of the project.
 * The skills are applied together, which runs their tests: as often as there are skills, so
 *that each is the last one once. Then all is verified and, if asked for, they are removed again
 *and the core must be what it was. Entries run in processes of their own, `jobs` at a time, and
 *one that fails does not stop the others.
 *
 * The project's tree is never touched. What is kept is in .nanoclaw/matrix: for each entry
 * its log, and a result that is written as soon as it has ended, so that it survives whatever
 * ends us. The next run goes on from there. An entry that has passed is not run again while
 * its inputs are the same (matrix_inputs.h); one that has failed always is.
 *
 * A conflict that no shipped resolution settles is a failure. With a resolver, or with
 * `record`, it is tried again with what the project knows: its own resolutions, what it has
 * learned (rr_cache.h), and the resolver. What settles it is recorded as a resolution, and the
 * entry is run a third time from that alone: only then it has passed. With `record` the
 * resolution is put into the project, where it is shipped.
 *
 * A signal (interrupt.h) ends what is under way; what has ended by then is kept.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_RUN_H
#define ENGINE_MAINTAIN_MATRIX_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/maintain/matrix.h"
#include "util/relpath.h"

#define MATRIX_FOLDER          ".nanoclaw/matrix"
#define MATRIX_DEFAULT_SECONDS 1800
#define MATRIX_MAX_JOBS        256

enum matrix_outcome {
	MATRIX_NOT_RUN, /* a signal came first */
	MATRIX_PASSED,
	MATRIX_UNCHANGED, /* passed before, and nothing has changed since */
	MATRIX_FAILED,    /* from here on: it could not be applied, verified or removed */
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
	struct string_array conflicts; /* files with a conflict that nothing settles */
	struct string_array settled;   /* files with one that a resolution settles */
	struct string_array learned;   /* names of resolutions that were made for it */
	bool recorded;                 /* these are in the project now */
	char *log;                     /* path of it, seen from the project */
	char *kept;                    /* where the copy is that was kept; or NULL */
};

struct matrix_run {
	struct matrix_result *list; /* of the entries that were chosen, in their order */
	size_t count;
	size_t passed, unchanged, failed, not_run; /* how many of each */
	bool only_tests;                           /* all that have failed did so by a test */
	bool interrupted;
	double seconds;
};

#define MATRIX_RUN_INIT ((struct matrix_run){0})

/* Told while it runs; each may be NULL. `worker` is below `jobs`. */
struct matrix_watcher {
	void *data;
	void (*begun)(const struct matrix_run *run, void *data);
	void (*started)(const struct matrix_entry *entry, size_t worker, void *data);
	void (*ended)(const struct matrix_result *result, size_t worker, void *data);
	void (*ticked)(void *data); /* a few times in a second */
};

struct matrix_run_options {
	size_t jobs;
	const char *const *only; /* ids; none: all */
	size_t only_count;
	bool fresh;            /* run also what is unchanged */
	unsigned seconds;      /* for one entry */
	unsigned test_seconds; /* for one test */
	bool no_install;
	bool removal;                 /* remove the skills again, too */
	bool keep;                    /* the copies of entries that fail */
	const char *resolver;         /* a command, or NULL */
	const struct relpath *record; /* a folder of the project for resolutions; or NULL */
	struct matrix_watcher watcher;
};

#define MATRIX_RUN_OPTIONS_INIT                                                                \
	((struct matrix_run_options){                                                          \
		.jobs = 1, .seconds = MATRIX_DEFAULT_SECONDS, .test_seconds = 120})

/*
 * -1 only if it cannot be run at all; entries that fail are results. ERROR_INVALID if there
 * is no entry of an id in `only`; ERROR_BUSY if another run is under way in the project.
 * The project need not be locked: where it is not, `record` locks it for as long as it takes.
 */
int matrix_run(const struct project *project, const struct matrix *matrix,
	const struct matrix_run_options *options, struct matrix_run *ret_run,
	struct error *err);

bool matrix_outcome_is_failure(enum matrix_outcome outcome);

void matrix_run_release(struct matrix_run *run);

#endif
