/*
 * Runs one entry of the test matrix in a separate process.
 *
 *	pid = matrix_work_start(&work, &pipe, err);
 *	… read from `pipe` to its end, which is the end of the process …
 *	matrix_work_read(text, &result, &copy);
 *
 * All its output goes to the log. It gets SIGKILL when we die, and so do its commands.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_WORK_H
#define ENGINE_MAINTAIN_MATRIX_WORK_H

#include <sys/types.h>

#include "engine/maintain/matrix_result.h"

struct matrix_work {
	const struct project *project;
	const struct matrix *matrix;
	const struct matrix_entry *entry;
	const struct matrix_run_options *options;
	int core;         /* the open folder of the core, initialized and set up */
	int folder;       /* an empty folder for its copies */
	const char *path; /* of that folder */
	int log;
	int lock; /* a descriptor that the child must close (matrix_store.h) */
};

/* In `folder`: new resolutions that the entry has passed with. */
#define MATRIX_WORK_LEARNED "learned"

/* The report is at most this long. */
#define MATRIX_WORK_MAX ((size_t)1024 * 1024)

/* Returns the number of the process, or -1. */
pid_t matrix_work_start(const struct matrix_work *work, int *ret_pipe, struct error *err);

/*
 * Fill in the report of the process; false if there is none because it was killed. `*ret_copy`
 * is the name of the copy in which it ended; to be freed.
 */
bool matrix_work_read(struct view text, struct matrix_result *result, char **ret_copy);

#endif
