/* Inside: the first program in a sandbox. */
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/sys.h"
#include "sandbox/launcher/launcher.h"
#include "sandbox/launcher/seccomp.h"

static int compare(const char *mount, struct error *err)
{
	char *target;
	long fd = strtol(mount, &target, 10);
	struct stat wanted;
	struct stat found;

	if (*target++ != ':' || fd <= 0)
		return error_set(err, ERROR_INVALID, "'%s' is no mount", mount);
	if (fstat((int)fd, &wanted) < 0 || lstat(target, &found) < 0)
		return error_errno(err, "cannot look at the mount '%s'", target);
	if (wanted.st_dev != found.st_dev || wanted.st_ino != found.st_ino)
		return error_set(err, ERROR_FAILED,
			"what is mounted at '%s' was replaced while the sandbox started",
			target);
	return 0;
}

int launch_compare(const struct launch *launch, struct error *err)
{
	for (size_t i = 0; i < launch->mount_count; i++)
		if (compare(launch->mounts[i], err) < 0)
			return -1;
	return 0;
}

int launch_inside(const struct launch *launch, struct error *err)
{
	if (launch_compare(launch, err) < 0 || launch_limit(launch, err) < 0)
		return -1;
	launch_be_first_to_go();
	/* bwrap has a filter already; the engines' own are not as strict as ours. */
	if (launch->filter && seccomp_apply(err) < 0)
		return -1;
	if (close_range(STDERR_FILENO + 1, ~0U, 0) < 0)
		return error_errno(err, "cannot close descriptors");
	execvp(launch->argv[0], launch->argv);
	return error_errno(err, "cannot run '%s' in the sandbox", launch->argv[0]);
}
