/*
 * The results of a run of the test matrix as JUnit XML, as CI services read it: a suite for
 * each core, a case for each entry. An entry that is unchanged has passed; one that was not
 * run is skipped.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_JUNIT_H
#define ENGINE_MAINTAIN_MATRIX_JUNIT_H

#include "engine/maintain/matrix_run.h"
#include "util/buf.h"

/* The end of each failed entry's log is in it: `project` is where these are. */
void matrix_junit(const struct project *project, const struct matrix *matrix,
	const struct matrix_run *run, struct buf *out);

/* Text as it may stand in XML; what may not stand there at all becomes '?'. */
void matrix_junit_escape(struct view text, struct buf *out);

#endif
