/*
 * A command that a scenario marks with `$!`, and the files before and after it: for crash.c,
 * which stops the command in many ways and checks the files after recovery.
 */
#ifndef HARNESS_MATRIX_H
#define HARNESS_MATRIX_H

#include <stdbool.h>

#include "command.h"
#include "scenario_file.h"
#include "tap.h"
#include "workspace.h"

struct matrix {
	const struct scenario *scenario;
	const struct scenario_command *command;
	struct workspace *workspace;
	char *label; /* in the results */
	struct tree old;
	struct tree old_home;
	struct tree new;
	struct command_result faultless;
	unsigned long calls; /* that change the file system */
	char kinds[1 << 16]; /* of the calls: fault.h */
	unsigned long reads;
	unsigned long places; /* that call functions of the engine that can fail */
	unsigned long stride;
	unsigned long error_stride; /* of calls that fail */
	unsigned long inner_stride; /* of reads and places */
	bool power;
};

int matrix_run(const struct matrix *m, const char *line, struct view input,
	const char *const *extra, struct command_result *result, struct error *err);

/* Run the recovery command; that it failed is added to the report. */
int matrix_recover(const struct matrix *m, const char *const *extra, struct buf *report,
	struct error *err);

/*
 * Says in the report what is wrong with the files, which may be more by `leftover` or NULL;
 * returns whether they are new.
 */
bool matrix_check(const struct matrix *m, const struct lines *leftover, const struct tree *got,
	struct buf *report);

#endif
