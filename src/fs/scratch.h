/*
 * A temporary folder that only this user can open, in TMPDIR or /tmp.
 *
 *	struct scratch scratch;
 *
 *	if (scratch_make("nanoclaw-tour-", &scratch, err) < 0)
 *		return -1;
 *	...
 *	scratch_remove(&scratch, err);
 *
 * Its name ends in random digits, so that nobody can create it first.
 */
#ifndef FS_SCRATCH_H
#define FS_SCRATCH_H

#include "base/error.h"

struct scratch {
	char *path; /* absolute if TMPDIR is */
	int fd;
};

int scratch_make(const char *prefix, struct scratch *ret_scratch, struct error *err);

/* Remove it with its contents. If that fails, `err` names what is left. */
int scratch_remove(struct scratch *scratch, struct error *err);

#endif
