/*
 * Brings a group back within its disk limit after its agent has ended.
 *
 * The host measures the disk space of agents periodically (disk_use.h), so an agent can
 * exceed its limit for a moment. If its files stayed, the group could not work again. So files
 * that were changed since the agent started are removed, the largest first, until an eighth of
 * the limit is free, and then empty folders. Older files stay, even if they alone exceed it, and so
 * does the group's memory, up to 16 MiB. Folders that are too deep to be counted are removed as a
 * whole.
 */
#ifndef SANDBOX_LIMITS_DISK_TRIM_H
#define SANDBOX_LIMITS_DISK_TRIM_H

#include <time.h>

#include "base/error.h"
#include "sandbox/limits/disk_use.h"

struct disk_trimmed {
	size_t files;
	uint64_t bytes; /* that were freed */
};

/* In the folders of `disk`. `since` is a time of the system clock. */
int disk_trim(const struct disk_use *disk, uint64_t limit, time_t since,
	struct disk_trimmed *ret_trimmed, struct error *err);

#endif
