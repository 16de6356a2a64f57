/* Applies a filter of system calls. make_filter.c lists the refused ones. */
#ifndef SANDBOX_LAUNCHER_SECCOMP_H
#define SANDBOX_LAUNCHER_SECCOMP_H

#include <stdbool.h>

#include "base/error.h"

/* For this process and its children. */
int seccomp_apply(struct error *err);

/*
 * The strict filter. With `own_signals` a process can signal only itself: for kernels whose
 * Landlock does not confine signals.
 */
int seccomp_apply_strict(bool own_signals, struct error *err);

#endif
