/*
 * The progress of a run of the test matrix: on a terminal, a line for each worker and one for
 * the total, which are redrawn; elsewhere, a plain line for each finished entry.
 *
 *	struct matrix_progress progress;
 *
 *	matrix_progress_init(&progress, cli, jobs);
 *	options.watcher = matrix_progress_watcher(&progress);
 *	matrix_run(…);
 *	matrix_progress_end(&progress);
 */
#ifndef CLI_AUTHORING_MATRIX_PROGRESS_H
#define CLI_AUTHORING_MATRIX_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

#include "cli/command.h"
#include "engine/maintain/matrix_run.h"

struct matrix_progress_row {
	const struct matrix_entry *entry; /* NULL: the worker has nothing to do */
	int64_t since;
};

struct matrix_progress {
	const struct cli *cli;
	FILE *out; /* NULL: nothing is shown */
	bool live; /* it is a terminal */
	struct matrix_progress_row *rows;
	size_t jobs;
	size_t total, done, failed;
	size_t drawn; /* lines that are on the terminal */
	int64_t begin;
};

void matrix_progress_init(
	struct matrix_progress *ret_progress, const struct cli *cli, size_t jobs);
struct matrix_watcher matrix_progress_watcher(struct matrix_progress *progress);

/* Clears the lines from the terminal. */
void matrix_progress_end(struct matrix_progress *progress);

#endif
