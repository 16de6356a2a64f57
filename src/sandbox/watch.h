/*
 * Finds sandboxes that exceed their limits. A cgroup limits memory, processes and CPU where we
 * may create one. This file checks the rest, and everything where we may not:
 *
 *	memory		the sum of the resident memory of its processes
 *	processes	their number, threads included
 *	CPU		the time that they have used, against cpu_percent of `seconds`
 *	disk		the size of its writable mounts
 *	time		since it started
 *
 *	struct watch watch = WATCH_INIT;
 *
 *	watch_look(&watch);			once, then for each sandbox:
 *	why = watch_verdict(&watch, sandbox);	NULL, or the reason to kill it
 *	…
 *	watch_release(&watch);
 *
 * Call this about every second. It reads /proc once for all sandboxes. It measures folders in
 * steps of at most WATCH_STEPS names, so that a folder with many files does not hold up the
 * event loop but takes several calls.
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

/* At the end of a turn: checks only the disk, and measures all of it at once. */
const char *watch_disk_verdict(struct sandbox *sandbox);

void watch_release(struct watch *watch);

#endif
