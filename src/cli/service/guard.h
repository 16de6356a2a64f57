/*
 * A host that runs only as long as another program does: `nanoclaw run --guard COMMAND`.
 *
 *	if (guard && guard_hold(guard, err) < 0)
 *		return -1;
 *	… be the host …
 *
 * COMMAND holds what only one host may have, such as a lock in etcd, and says so by writing a line.
 * Then guard_hold() returns 0 in a process of its own, which is to become the host. The process
 * that called it stays behind: when COMMAND ends, it kills the host at once, even one that is stopped
 * or busy, and its guard_hold() returns -1; when the host ends, it ends COMMAND, and exits with the
 * host's code. None of the three outlives another, however it is killed; but a process that COMMAND
 * has started may outlive a COMMAND that is killed together with us.
 */
#ifndef CLI_SERVICE_GUARD_H
#define CLI_SERVICE_GUARD_H

#include "base/error.h"

/* `command` has words and quotes, and nothing else of a shell. */
int guard_hold(const char *command, struct error *err);

#endif
