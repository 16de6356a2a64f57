/*
 * Processes of sandboxes, identified by their labels: the words nanoclaw.installation=ID and
 * nanoclaw.run=RUN in their command lines.
 */
#ifndef SANDBOX_PROCESSES_H
#define SANDBOX_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Sends SIGKILL to the processes of an installation that `wanted` selects, or, with
 * processes_kill(), to those of one run; to the whole process group if the process leads one. It
 * signals only processes of our own user, and never a process that has reused a number. Returns
 * how many it found.
 */
size_t processes_kill_if(
	const char *installation, bool (*wanted)(const char *run, void *data), void *data);
size_t processes_kill(const char *installation, const char *run);

/* The first process in the container of a run; 0: none yet. */
pid_t processes_first_inside(const char *installation, const char *run);

#endif
