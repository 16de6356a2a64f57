/* Outside: become bwrap, with limits and a filter of system calls. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sandbox/launcher/launcher.h"
#include "sandbox/launcher/seccomp.h"

/* BWRAP --seccomp FD ARGUMENTS... */
static const char **add_filter(char **argv, const char *fd)
{
	size_t count = 0;
	const char **with;

	while (argv[count])
		count++;
	with = xcalloc(count + 3, sizeof(*with));
	with[0] = argv[0];
	with[1] = "--seccomp";
	with[2] = fd;
	for (size_t i = 1; i < count; i++)
		with[i + 2] = argv[i];
	return with;
}

int launch_bwrap(const struct launch *launch, struct error *err)
{
	CLEANUP(freep) const char **argv = NULL;
	CLEANUP(freep) char *fd_text = NULL;
	int fd;

	/* A supplementary group could open files that the user alone could not. */
	if (!geteuid())
		setgroups(0, NULL);
	if (launch_limit(launch, err) < 0 || seccomp_filter(&fd, err) < 0)
		return -1;
	fd_text = xasprintf("%d", fd);
	argv = add_filter(launch->argv, fd_text);
	execv(argv[0], (char *const *)(uintptr_t)argv);
	return error_errno(err, "cannot run '%s'", argv[0]);
}
