/*
 * The options that `matrix`, `matrix run` and `release` share.
 */
#ifndef CLI_AUTHORING_MATRIX_OPTIONS_H
#define CLI_AUTHORING_MATRIX_OPTIONS_H

#include "cli/command.h"
#include "engine/maintain/matrix_run.h"

#define MATRIX_OPTION_SKILLS                                                                   \
	{                                                                                      \
		0, "skills", "NAMES", "only entries with these skills, separated by commas"    \
	}

#define MATRIX_OPTION_CORES                                                                    \
	{                                                                                      \
		0, "core-versions", "VERSIONS",                                                \
			"only these core versions, separated by commas"                        \
	}

/* All values of an option that may be given several times, split at commas. */
void matrix_option_words(
	const struct arguments *args, const char *option, struct string_array *ret_words);

/* The value of -j, or the number of CPUs. */
int matrix_option_jobs(const struct arguments *args, size_t *ret_jobs, struct error *err);

/* Plan the matrix for these options. */
int matrix_options_plan(const struct arguments *args, const struct project *project,
	struct matrix *ret_matrix, struct error *err);

#endif
