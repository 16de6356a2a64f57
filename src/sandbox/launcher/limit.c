#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fs/sys.h"
#include "sandbox/launcher/launcher.h"

#define MAX_OPEN_FILES 4096

static int rlimit_lower(int resource, uint64_t value, struct error *err)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return error_errno(err, "cannot read a limit");
	if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value)
		limit.rlim_max = value;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(resource, &limit) < 0)
		return error_errno(err, "cannot set a limit");
	return 0;
}

int launch_limit(const struct launch *launch, struct error *err)
{
	for (size_t i = 0; i < launch->join_count; i++)
		if (sys.write((int)launch->joins[i], "0", 1) != 1)
			return error_errno(err, "cannot join the cgroup");
	if (rlimit_lower(RLIMIT_CORE, 0, err) < 0 ||
		rlimit_lower(RLIMIT_NOFILE, MAX_OPEN_FILES, err) < 0 ||
		rlimit_lower(RLIMIT_MEMLOCK, 0, err) < 0 ||
		rlimit_lower(RLIMIT_MSGQUEUE, 0, err) < 0 ||
		rlimit_lower(RLIMIT_RTPRIO, 0, err) < 0)
		return -1;
	if (launch->file_size && rlimit_lower(RLIMIT_FSIZE, launch->file_size, err) < 0)
		return -1;
	if (launch->cpu_seconds && rlimit_lower(RLIMIT_CPU, launch->cpu_seconds, err) < 0)
		return -1;
	/* In a user namespace it counts the processes of that alone. */
	if (launch->processes && rlimit_lower(RLIMIT_NPROC, launch->processes, err) < 0)
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
