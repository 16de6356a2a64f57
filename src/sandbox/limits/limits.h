/*
 * What a sandbox may use. Memory, processes and CPU are limited by a cgroup where we may make one
 * (cgroup.h), else by rlimits and by sandbox/watch.h, which is always the one for disk and time.
 */
#ifndef SANDBOX_LIMITS_LIMITS_H
#define SANDBOX_LIMITS_LIMITS_H

#include <stdint.h>

/* 0 is the default. */
struct sandbox_limits {
	uint64_t memory_megabytes; /* of all its processes together; 2048 */
	uint64_t processes;        /* and threads; 512 */
	uint64_t cpu_percent;      /* of one processor; 200 */
	uint64_t disk_megabytes;   /* in its writable mounts; 2048 */
	uint64_t seconds;          /* from start to end; 6 hours */
};

struct sandbox_limits sandbox_limits_or_default(struct sandbox_limits limits);

#endif
