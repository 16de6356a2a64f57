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

/*
 * With the lock: remove the folder of the store, and the lock as the last file in it. A process that
 * takes the lock from then on makes a new one, and what it writes stays.
 */
void lock_remove_store(int root);

/* The host signs the lock that it holds with its pid, for commands that find no socket of it. */
void lock_sign(int lock);

/* The pid of the host that holds the lock, or 0. */
int lock_host(int root);

/* The same for making and restoring backups: one at a time, even while a host runs. */
int lock_take_backup(int root, int *ret_fd, struct error *err);

#endif
