#include "proc/orphans.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "fs/file.h"

#define MAX_STAT 4096
#define WAIT_MS  10

void orphans_adopt(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* "PID (NAME) STATE PARENT ...": the name may contain anything. */
static int parent_of(const char *pid)
{
	CLEANUP(error_release) struct error ignored = ERROR_INIT;
	CLEANUP(buf_release) struct buf text = BUF_INIT;
	CLEANUP(freep) char *path = xasprintf("/proc/%s/stat", pid);
	const char *end;
	int parent;

	if (file_read(path, MAX_STAT, &text, &ignored) < 0)
		return 0;
	end = strrchr(text.data, ')');
	return end && sscanf(end, ") %*c %d", &parent) == 1 ? parent : 0;
}

static void kill_children(void)
{
	CLEANUP(closedirp) DIR *dir = opendir("/proc");
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		int pid = (int)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && parent_of(entry->d_name) == (int)getpid())
			kill(pid, SIGKILL);
	}
}

/* The children of one that is killed become ours. */
void orphans_end(void)
{
	for (;;) {
		pid_t ended = waitpid(-1, NULL, WNOHANG);

		if (ended < 0 && errno != EINTR)
			break;
		if (ended)
			continue;
		kill_children();
		poll(NULL, 0, WAIT_MS);
	}
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}
