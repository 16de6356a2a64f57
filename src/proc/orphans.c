#include "proc/orphans.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fs/file.h"
#include "proc/process_stat.h"

#define WAIT_MS 10
#define WAITS   1000

void orphans_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* The children of one that is killed become ours. One that waits for a disk may never end. */
void orphans_end(void)
{
	for (int i = 0; i < WAITS; i++) {
		CLEANUP(closedirp) DIR *dir = NULL;
		const struct dirent *entry;
		pid_t ended = waitpid(-1, NULL, WNOHANG);

		if (ended < 0 && errno != EINTR)
			break;
		if (ended)
			continue;
		dir = opendir("/proc");
		while (dir && (entry = readdir(dir))) {
			int pid = (int)strtol(entry->d_name, NULL, 10);

			if (pid > 0 && process_parent(pid) == getpid())
				kill(pid, SIGKILL);
		}
		poll(NULL, 0, WAIT_MS);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}
