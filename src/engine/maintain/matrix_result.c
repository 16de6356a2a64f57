#include "engine/maintain/matrix_result.h"

#include <stdlib.h>

const char *const matrix_outcome_names[] = {
	[MATRIX_NOT_RUN] = "not run",
	[MATRIX_PASSED] = "passed",
	[MATRIX_UNCHANGED] = "unchanged",
	[MATRIX_FAILED] = "failed",
	[MATRIX_TEST_FAILED] = "test failed",
	[MATRIX_CONFLICT] = "conflict",
	[MATRIX_TIMED_OUT] = "timed out",
};

bool matrix_outcome_is_failure(enum matrix_outcome outcome)
{
	return outcome >= MATRIX_FAILED;
}

void matrix_result_fail(
	struct matrix_result *result, enum matrix_outcome outcome, char *message)
{
	result->outcome = outcome;
	free(result->message);
	result->message = message;
}

void matrix_result_release(struct matrix_result *result)
{
	free(result->message);
	free(result->hint);
	free(result->log);
	free(result->kept);
	string_array_release(&result->conflicts);
	string_array_release(&result->resolved);
	string_array_release(&result->learned);
}
