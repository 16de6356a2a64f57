/* The command line of bubblewrap. Only for src/sandbox and its tests. */
#ifndef SANDBOX_BWRAP_H
#define SANDBOX_BWRAP_H

#include "sandbox/internal.h"

/* The options, all but the program inside. */
int bwrap_arguments(const struct sandbox_spec *spec, struct sandbox *sandbox,
	const char *launcher, struct words *words, struct error *err);

#endif
