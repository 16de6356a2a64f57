/*
 * The test matrix for GitHub Actions: one line of JSON, for `strategy.matrix`.
 *
 *	{"include": [{"name": "1.0.0/diary", "entries": 1, "run": "nanoclaw matrix run …"}]}
 *
 * The service takes at most 256 jobs for a matrix. More entries are put together, so that all
 * jobs have the same number of them, or one more.
 */
#ifndef CLI_MATRIX_GITHUB_H
#define CLI_MATRIX_GITHUB_H

#include <jansson.h>

#include "engine/maintain/matrix.h"

#define MATRIX_GITHUB_JOBS ((size_t)256)

json_t *matrix_github(const struct matrix *matrix);

#endif
