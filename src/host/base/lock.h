/*
 * One writer: a process that changes the store holds the lock on store/lock. The host holds it
 * as long as it runs. The kernel releases it when the process ends, for any reason.
 */
#ifndef HOST_BASE_LOCK_H
#define HOST_BASE_LOCK_H

#include <stdbool.h>

#include "base/error.h"

/* ERROR_BUSY if another process holds it. The lock is held while `*ret_fd` is open. */
int lock_take(int root, int *ret_fd, struct error *err);

/* The same for making and restoring backups: one at a time, even while a host runs. */
int lock_take_backup(int root, int *ret_fd, struct error *err);

#endif
