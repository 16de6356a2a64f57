#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fs/sys.h"
#include "sandbox/launcher/launcher.h"

#define MAX_OPEN_FILES 4096

static int rlimit_lower(pid_t pid, int resource, uint64_t value, struct error *err)
{
	struct rlimit limit;

	if (prlimit(pid, resource, NULL, &limit) < 0)
		return error_errno(err, "cannot read a limit");
	if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value)
		limit.rlim_max = value;
	limit.rlim_cur = limit.rlim_max;
	if (prlimit(pid, resource, &limit, NULL) < 0)
		return error_errno(err, "cannot set a limit");
	return 0;
}

int launch_limit(const struct launch *launch, pid_t pid, struct error *err)
{
	const struct {
		int resource;
		uint64_t value;
		bool is_set;
	} limits[] = {
		{RLIMIT_CORE, 0, true},
		{RLIMIT_NOFILE, MAX_OPEN_FILES, true},
		{RLIMIT_MEMLOCK, 0, true},
		{RLIMIT_MSGQUEUE, 0, true},
		{RLIMIT_RTPRIO, 0, true},
		{RLIMIT_FSIZE, launch->file_size, launch->file_size > 0},
		{RLIMIT_CPU, launch->cpu_seconds, launch->cpu_seconds > 0},
		/* In a user namespace it counts the processes of that alone. */
		{RLIMIT_NPROC, launch->processes, launch->processes > 0},
	};
	CLEANUP(freep) char *number = xasprintf("%d", (int)pid);

	for (size_t i = 0; i < launch->join_count; i++)
		if (sys.write((int)launch->joins[i], number, strlen(number)) < 0)
			return error_errno(err, "cannot join the cgroup");
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (limits[i].is_set &&
			rlimit_lower(pid, limits[i].resource, limits[i].value, err) < 0)
			return -1;
	return 0;
}

void launch_be_first_to_go(void)
{
	CLEANUP(closep) int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!sys.write(fd, "1000", 4);
}

/* The first two fail for an ordinary user, who has none. */
int launch_drop_capabilities(struct error *err)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};

	prctl(PR_SET_SECUREBITS, SECURE_ALL_BITS | SECURE_ALL_LOCKS);
	for (int i = 0; i < 64; i++)
		prctl(PR_CAPBSET_DROP, i);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, none) < 0)
		return error_errno(err, "cannot drop capabilities");
	return 0;
}
