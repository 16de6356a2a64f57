#include "sandbox/limits/limits.h"

static uint64_t or_default(uint64_t value, uint64_t otherwise)
{
	return value ? value : otherwise;
}

struct sandbox_limits sandbox_limits_or_default(struct sandbox_limits limits)
{
	return (struct sandbox_limits){
		.memory_megabytes = or_default(limits.memory_megabytes, 2048),
		.processes = or_default(limits.processes, 512),
		.cpu_percent = or_default(limits.cpu_percent, 200),
		.disk_megabytes = or_default(limits.disk_megabytes, 2048),
		.seconds = or_default(limits.seconds, (uint64_t)6 * 3600),
	};
}
