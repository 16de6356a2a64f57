/*
 * After an agent has ended: what was over its limit does not stay.
 *
 * The host counts the disk space of agents (disk_use.h), so one can be over its limit for a
 * moment, and could leave it so that its group can do nothing any more. When its sandbox is
 * gone, files that were changed since it started are removed, the largest first, until what is
 * left is within the limit. Files from before stay, also if they are over it, and so does the
 * memory of the group. Folders that are too deep to be counted go as a whole.
 */
#ifndef SANDBOX_DISK_TRIM_H
#define SANDBOX_DISK_TRIM_H

#include <time.h>

#include "base/error.h"
#include "sandbox/disk_use.h"

struct disk_trimmed {
	size_t files;
	uint64_t bytes; /* that are gone */
};

/* In the folders of `disk`; `since` by the clock of the machine. */
int disk_trim(const struct disk_use *disk, uint64_t limit, time_t since,
	struct disk_trimmed *ret_trimmed, struct error *err);

#endif
