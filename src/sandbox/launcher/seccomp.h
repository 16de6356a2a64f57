/* Apply a filter of system calls (make_filter.c says what is refused). */
#ifndef SANDBOX_LAUNCHER_SECCOMP_H
#define SANDBOX_LAUNCHER_SECCOMP_H

#include <stdbool.h>

#include "base/error.h"

/* A file in memory with the usual filter, for bwrap; without O_CLOEXEC. */
int seccomp_filter(int *ret_fd, struct error *err);

/* For this process and all that it starts. */
int seccomp_apply(struct error *err);

/*
 * The strict filter. `own_signals`: signals go to the process itself alone, because the
 * kernel's Landlock does not confine them.
 */
int seccomp_apply_strict(bool own_signals, struct error *err);

#endif
