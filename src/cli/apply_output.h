/*
 * The result of an operation on skills, for people and for programs.
 */
#ifndef CLI_APPLY_OUTPUT_H
#define CLI_APPLY_OUTPUT_H

#include "cli/command.h"
#include "engine/session.h"

/* Print it, and return the exit code. */
int apply_output(const struct cli *cli, const struct apply_result *result, bool dry_run);

/* The warnings only, on standard error: for an operation that failed. */
void apply_output_warnings(const struct apply_result *result);

#endif
