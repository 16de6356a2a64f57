/*
 * The project that a command works in: found, locked if need be, and recovered from a crash.
 */
#ifndef CLI_PROJECT_H
#define CLI_PROJECT_H

#include "cli/command.h"
#include "engine/commit/recovery.h"
#include "engine/disk/project.h"

/*
 * For a command that changes things: find the project (or, with `here`, take the current
 * folder), lock it, and roll back an operation that was interrupted.
 */
int project_open_locked(struct project *ret_project, bool here, struct error *err);

/* The same; ERROR_BUSY if an operation is paused, or a customization is open. */
int project_open_idle(struct project *ret_project, bool here, struct error *err);

/*
 * For a command that only reads: the same without the lock. If an operation is running, nothing
 * is rolled back and `*ret_running` is true.
 */
int project_open_reading(struct project *ret_project, bool *ret_running, struct error *err);

/* The same, and read from it; read again if an operation interfered: project_read_still(). */
int project_read(struct project *project, project_reader *read, void *data, struct error *err);

/* ERROR_BUSY: for a reader that cannot answer while an operation is running. */
int project_refuse_running(const struct project *project, struct error *err);

/* For maintainers: say that the files have another version than the recorded core, if they do. */
void project_note_core(const struct project *project);

/* Warn about files that were edited in the meantime and kept. */
void project_report_kept(const struct kept_list *kept);

#endif
