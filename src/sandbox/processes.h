/*
 * Processes of sandboxes, known by their labels: the words nanoclaw.installation=ID and
 * nanoclaw.run=RUN in their command lines.
 */
#ifndef SANDBOX_PROCESSES_H
#define SANDBOX_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * SIGKILL to all of an installation of which `wanted` says so, or with processes_kill() of one
 * run; to its whole group if it leads one. Only to processes of our own user, and never to a
 * number that means another process by now. Returns how many there were.
 */
size_t processes_kill_if(
	const char *installation, bool (*wanted)(const char *run, void *data), void *data);
size_t processes_kill(const char *installation, const char *run);

/* The first process in the container of a run, or 0 if there is none yet. */
pid_t processes_first_inside(const char *installation, const char *run);

#endif
