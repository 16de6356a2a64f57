/*
 * What `matrix` and `matrix run` have in common on the command line.
 */
#ifndef CLI_MATRIX_OPTIONS_H
#define CLI_MATRIX_OPTIONS_H

#include "cli/command.h"
#include "engine/maintain/matrix.h"

#define MATRIX_OPTION_SKILLS                                                                   \
	{                                                                                      \
		0, "skills", "NAMES", "only entries about these skills: names with commas"     \
	}

#define MATRIX_OPTION_CORES                                                                    \
	{                                                                                      \
		0, "core-versions", "VERSIONS", "only these versions of the core: with commas" \
	}

/* All values of an option that may be given several times, taken apart at commas. */
void matrix_option_words(const struct arguments *args, const struct option *option,
	struct string_array *ret_words);

/* Plan the matrix for what was given. */
int matrix_options_plan(const struct arguments *args, const struct option *skills,
	const struct option *cores, const struct project *project, struct matrix *ret_matrix,
	struct error *err);

#endif
