/*
 * Apply the skills of an entry in a copy, and see how that ends. For matrix_work.c, in its
 * process.
 */
#ifndef ENGINE_MAINTAIN_MATRIX_ATTEMPT_H
#define ENGINE_MAINTAIN_MATRIX_ATTEMPT_H

#include "engine/maintain/matrix_work.h"

struct matrix_attempt {
	const struct matrix_work *work;
	const char *name; /* of the copy, in the folder of the entry */
	size_t last;      /* which of the entry's skills comes last, as far as others allow */
	bool known;       /* with what the project knows, and the resolver */
	int resolutions;  /* the open folder of resolutions that are shipped; or -1 */
};

/*
 * `*ret_result` gets outcome, message, conflicts and settled files; with `known` also
 * `learned`: these are then in .claude/resolutions of the copy.
 */
void matrix_attempt(const struct matrix_attempt *attempt, struct matrix_result *ret_result);

#endif
