/*
 * The options of a run of the test matrix (matrix_run.h), and the result of one entry.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_RESULT_H
#define ENGINE_MAINTAIN_MATRIX_RESULT_H

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

bool matrix_outcome_is_failure(enum matrix_outcome outcome);

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

/* Takes ownership of the message, which may be NULL. */
void matrix_result_fail(
	struct matrix_result *result, enum matrix_outcome outcome, char *message);

void matrix_result_release(struct matrix_result *result);

struct matrix_run;

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

#endif
