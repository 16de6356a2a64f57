/*
 * The result of a run of the test matrix, for people and for programs.
 */
#ifndef CLI_AUTHORING_MATRIX_OUTPUT_H
#define CLI_AUTHORING_MATRIX_OUTPUT_H

#include <jansson.h>

#include "cli/command.h"
#include "engine/maintain/matrix_run.h"

/* A table of all entries, the output of failed ones, and the totals. */
void matrix_output(const struct cli *cli, const struct matrix_run *run);

json_t *matrix_output_json(const struct matrix *matrix, const struct matrix_run *run);

#endif
