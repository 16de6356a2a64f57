/*
 * Processes of sandboxes, identified by their labels: the words nanoclaw.installation=ID and
 * nanoclaw.run=RUN in their command lines.
 *
 * The id of a probe is PROCESSES_PROBE, with the PID namespace, the number and the start time of
 * the process that tries a sandbox. If that process is killed, the processes of the probe have no
 * owner: bwrap survives if this happens before the first process inside has set its parent-death
 * signal.
 */
#ifndef SANDBOX_PROCESSES_H
#define SANDBOX_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LABEL_INSTALLATION "nanoclaw.installation="
#define LABEL_RUN          "nanoclaw.run="
#define PROCESSES_PROBE    "probe-"
/* The launcher, inside. */
#define SANDBOX_INSIDE "/run/nanoclaw/sandbox"

/*
 * Sends SIGKILL to the processes of an installation that `wanted` selects, or, with
 * processes_kill(), to those of one run; to the whole process group if the process leads one. It
 * signals only processes of our own user, and never a process that has reused a number. Returns
 * how many it found.
 */
size_t processes_kill_if(
	const char *installation, bool (*wanted)(const char *run, void *data), void *data);
size_t processes_kill(const char *installation, const char *run);

/* The id of probes that this process makes; to be freed. */
char *processes_probe_id(void);

/* Does a name that begins with the id of a probe, or is it, belong to a process that has ended? */
bool processes_probe_is_left(const char *name);

/* Sends SIGKILL to what is left of probes; returns how many processes it found. */
size_t processes_kill_probes(void);

/* The first process in the container of a run; 0: none yet. */
pid_t processes_first_inside(const char *installation, const char *run);

#endif
