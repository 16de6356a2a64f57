/*
 * The results of a run of the test matrix as JUnit XML, which CI services read: a suite for
 * each core, a case for each entry. An unchanged entry has passed; one that was not run is
 * skipped.
 */
#ifndef CLI_AUTHORING_MATRIX_JUNIT_H
#define CLI_AUTHORING_MATRIX_JUNIT_H

#include "base/buf.h"
#include "engine/maintain/matrix_run.h"

/* `project` has the logs; a failure has the end of its log. */
void matrix_junit(const struct project *project, const struct matrix *matrix,
	const struct matrix_run *run, struct buf *out);

#endif
