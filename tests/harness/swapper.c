#include "swapper.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t running;

void swapper_start(int dirfd, const char *a, const char *b)
{
	running = fork();
	if (running < 0)
		abort();
	if (running > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!syscall(SYS_renameat2, dirfd, a, dirfd, b, RENAME_EXCHANGE))
		;
	_exit(1);
}

void swapper_stop(void)
{
	if (running <= 0)
		return;
	kill(running, SIGKILL);
	waitpid(running, NULL, 0);
	running = 0;
}

int swapper_teardown(void **state)
{
	swapper_stop();
	return tempdir_teardown(state);
}
