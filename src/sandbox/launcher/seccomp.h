/*
 * The filter of system calls, made with libseccomp: what an agent has no use for and
 * what was a way out of sandboxes before. Everything else is allowed, because an agent runs any
 * program; the namespaces, the missing capabilities and the mounts are the walls, and this is
 * less kernel to break them with.
 *
 * Refused calls fail: with ENOSYS where programs know what to do without the call, with EPERM
 * elsewhere. Calls of another architecture end the process.
 */
#ifndef SANDBOX_LAUNCHER_SECCOMP_H
#define SANDBOX_LAUNCHER_SECCOMP_H

#include <stdbool.h>

#include "util/error.h"

/* A file in memory with the filter, from its beginning; without O_CLOEXEC. */
int seccomp_filter(int *ret_fd, struct error *err);

/* For this process and all that it starts; it has to have no new privileges. */
int seccomp_apply(struct error *err);

/*
 * The same for a process that no namespace surrounds (landlock.c). Refused as well is what
 * Landlock does not decide: every socket (the given ones are connected already), the modes,
 * owners, times and attributes of files, truncation of files that are only readable, System V
 * IPC and message queues, watches on files, limits and priorities of other processes, and
 * leaving the process group. `signals`: signals go to the process itself alone, because the
 * kernel's Landlock does not confine them.
 */
int seccomp_apply_strict(bool signals, struct error *err);

#endif
