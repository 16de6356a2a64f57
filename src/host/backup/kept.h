/*
 * The backups that an installation knows of: the last one that was made, wherever that is, and
 * those that were planned (backups.h). They are found without the store, which may be what is damaged.
 */
#ifndef HOST_BACKUP_KEPT_H
#define HOST_BACKUP_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Below the store: no agent sees it, git ignores it, and no backup contains it. */
#define BACKUPS_FOLDER "store/backups"

/*
 * Agents may read the project, and git may take what is in it. ERROR_INVALID if this file would be
 * there, except in BACKUPS_FOLDER, which is made if it is missing.
 */
int kept_check_place(int root, const char *root_path, const char *file, struct error *err);

/* Remember the last backup, wherever it is; or, if it has a fault, forget what it has replaced. */
int kept_note(int root, const char *file, bool faulty, struct error *err);

int kept_make_folder(int root, struct error *err);

/* The path of the last one that still exists, to be freed, and its time; NULL: there is none. */
char *kept_newest(int root, const char *root_path, int64_t *ret_time);

#endif
