/*
 * Which sandboxes are ours, also after we were killed.
 *
 *	ownership_open(root, &owner, err)	at start, with the lock of the store held
 *	ownership_sweep(owner)			then, and every minute or so
 *	…
 *	ownership_free(owner)
 *
 * An installation is the folder of a project: its id is made from the device and inode number
 * of that folder, which no other folder on the machine has at the same time, and from the time
 * when it was made, where the file system knows that: the number is used again when the folder
 * is gone. So a copy of an installation is another one, and one that was moved stays the same.
 *
 * A sandbox has a record, data/run/sandboxes/RUN.json, which is there before its process is
 * (and, for a container, which may outlive a power cut, on the disk):
 *
 *	{"cgroups":["…"],"container":"nanoclaw-…","group":"main","installation":"…",
 *	 "guarded":{"PATH":"CONTENT"},"kind":"bwrap","pid":123,"run":"…","start":4567}
 *
 * `pid` and `start` (the time when the process started, field 22 of /proc/PID/stat) are added
 * after the start. Its processes have the words nanoclaw.installation=ID and nanoclaw.run=RUN
 * in their command lines, the containers of podman and docker have them as labels.
 *
 * The sweep ends what has our installation's word and a run that is not one of those that this
 * process has started and not yet ended. That is known by the command line, read after a pidfd
 * was opened and compared again with the start time, and the signal goes to the pidfd: a number
 * that was used again is never hit. Processes of other users and of other installations are
 * not touched, whatever records say.
 */
#ifndef SANDBOX_OWNERSHIP_H
#define SANDBOX_OWNERSHIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define OWNERSHIP_FOLDER "data/run/sandboxes"

struct ownership;

/* `root` is the open folder of the project; it is not taken over. */
int ownership_open(int root, struct ownership **ret_owner, struct error *err);
void ownership_free(struct ownership *owner);

/* 16 hexadecimal digits. */
const char *ownership_installation(const struct ownership *owner);

/*
 * Ends what is left of sandboxes that are no longer ours to use. Does not wait: what was killed
 * now is gone when the next sweep finds nothing. Returns how many processes, containers,
 * cgroups and records it had to do with.
 */
size_t ownership_sweep(struct ownership *owner);

/* What a file says that an agent could write that runs; NULL: none could. */
const char *ownership_guarded(const struct ownership *owner, const char *path);

/* Before the host itself changes such a file. */
int ownership_change_guarded(
	struct ownership *owner, const char *path, const char *content, struct error *err);

#endif
