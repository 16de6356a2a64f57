/*
 * What of an installation's sandboxes is on this machine: processes, records, sockets, mounts,
 * cgroups.
 */
#ifndef HOST_TEST_LEFTOVERS_H
#define HOST_TEST_LEFTOVERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "driver.h"

/* The id of the installation (sandbox/ownership.h). To be freed. */
char *leftovers_installation(struct driver *d);

/* The processes of its sandboxes that are seen from here, up to `max`; returns how many. */
unsigned leftovers_processes(const char *installation, pid_t *ret_pids, unsigned max);

/* Says in remarks what is there, if anything. For an installation whose host has ended. */
bool leftovers_none(struct driver *d, const char *installation);

#endif
