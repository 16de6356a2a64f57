/*
 * Which sandboxes belong to this installation, even after its host was killed.
 *
 *	ownership_open(root, &owner, err)	at start, with the lock of the store held
 *	ownership_sweep(owner)			then, and every minute or so
 *	…
 *	ownership_free(owner)
 *
 * An installation is the folder of a project: its id is made from the device and inode number
 * of that folder, which no other folder on the machine has at the same time, and from the time
 * when it was created, if the file system records that: the inode number can be reused once the
 * folder is gone. So a copy of an installation gets another id, and a moved one keeps its id.
 *
 * A running sandbox has a record, data/run/sandboxes/RUN.json. That of a container, which may
 * outlive a power cut, and one that guards files is on the disk before its process starts:
 *
 *	{"cgroups":["…"],"container":"nanoclaw-…","group":"main","installation":"…",
 *	 "guarded":{"PATH":"CONTENT"},"kind":"bwrap","pid":123,"run":"…","start":4567}
 *
 * `pid` and `start` (the time when the process started, field 22 of /proc/PID/stat) are added
 * after the start. Its processes have the words nanoclaw.installation=ID and nanoclaw.run=RUN
 * in their command lines, the containers of podman and docker have them as labels.
 *
 * The sweep ends every sandbox that carries our installation's id, except the ones that this
 * process started and has not ended yet. It opens a pidfd, reads the command line, compares the
 * start time, and then signals the pidfd, so it never hits a process that got the same number
 * later. It never touches processes of other users or installations, whatever the records say.
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

/*
 * The same for a probe, which is not an installation: `root` is its own temporary folder. When
 * the process of a probe has ended, the sweep of any other owner ends its remaining processes.
 */
int ownership_open_probe(int root, struct ownership **ret_owner, struct error *err);
void ownership_free(struct ownership *owner);

/* Its id, 16 hexadecimal digits, or that of a probe (processes.h). */
const char *ownership_installation(const struct ownership *owner);

/*
 * Ends the remains of sandboxes that are no longer in use. It does not wait: when a later sweep
 * finds nothing, everything has ended. Returns how many processes, containers, cgroups and
 * records it found.
 */
size_t ownership_sweep(struct ownership *owner);

/*
 * The recorded content of a guarded file (guard.h) that a running agent could write; NULL if no
 * running agent could.
 */
const char *ownership_guarded(const struct ownership *owner, const char *path);

/* Call this before the host itself changes a guarded file. */
int ownership_change_guarded(
	struct ownership *owner, const char *path, const char *content, struct error *err);

#endif
