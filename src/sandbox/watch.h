/*
 * Sandboxes over their limits. A cgroup holds memory, processes and CPU where we may make one;
 * here is the rest, and all of it where we may not:
 *
 *	memory		the sum of the resident memory of its processes
 *	processes	their number, threads included
 *	CPU		the time that they have used, against cpu_percent of `seconds`
 *	disk		what lies in its writable mounts
 *	time		since it started
 *
 *	struct watch watch = WATCH_INIT;
 *
 *	watch_look(&watch);			once, then for each sandbox:
 *	why = watch_verdict(&watch, sandbox);	NULL, or why it has to be killed
 *	…
 *	watch_release(&watch);
 *
 * To be called every second or so. It reads /proc once for all of them. The walk over the
 * folders is done in pieces: at most WATCH_STEPS names each time, so that a folder with many
 * files costs the event loop little and is looked at over several calls.
 */
#ifndef SANDBOX_WATCH_H
#define SANDBOX_WATCH_H

#include <stddef.h>

#include "sandbox/sandbox.h"

#define WATCH_STEPS 20000
#define WATCH_WHOLE 200000 /* names at the end of a turn */

struct watch_process;

struct watch {
	struct watch_process *processes;
	size_t count, cap;
};

#define WATCH_INIT ((struct watch){0})

void watch_look(struct watch *watch);

/* Lower case, for a message: "it used more than 2048 MB of memory". Good until it ends. */
const char *watch_verdict(const struct watch *watch, struct sandbox *sandbox);

/* At the end of a turn: of the disk alone, and all of it at once. */
const char *watch_disk_verdict(struct sandbox *sandbox);

void watch_release(struct watch *watch);

#endif
