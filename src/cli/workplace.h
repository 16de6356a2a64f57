/*
 * The project that a command works in: found, and brought in order first.
 */
#ifndef CLI_WORKPLACE_H
#define CLI_WORKPLACE_H

#include "cli/command.h"
#include "engine/commit/recovery.h"
#include "engine/disk/project.h"

/*
 * For a command that changes things: find the project (or, with `here`, take the
 * current folder), lock it, and undo what a crash has left half done.
 */
int workplace_open(struct project *ret_project, bool here, struct error *err);

/* The same, and nothing may be paused, and nobody be customizing (ERROR_BUSY). */
int workplace_open_idle(struct project *ret_project, bool here, struct error *err);

/*
 * For a command that only looks: the same, but without the lock, and with a look
 * at things as they are if an operation is running. `*ret_running` says so.
 */
int workplace_look(struct project *ret_project, bool *ret_running, struct error *err);

/* Tell what was kept of files that were changed in between. */
void workplace_tell_kept(const struct kept_list *kept);

#endif
