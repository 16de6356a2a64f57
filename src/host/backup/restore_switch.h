/*
 * Replace the store, groups/ and data/ with new ones, so that a crash at any point leaves either
 * the old or the new state, and so that it can be undone.
 *
 *	store/restore/stage	the new content, complete
 *	store/restore/journal	is written: from here on it will happen
 *	each item		changes places with the one in stage, which has the former
 *				content then, and becomes
 *	store/restore/before	the journal goes
 *
 *  R1. Before the journal exists, none of the current content has been touched.
 *  R2. The journal is written after all of the stage is on the disk. It lists the items, and for
 *	each the inode that its name has after the switch.
 *  R3. Every step can be repeated: an item that already has the inode of the journal is done. So a
 *	process that finds a journal can always finish the restore.
 *  R4. After an error, everything that was switched is switched back, and the journal is deleted.
 *	Once everything is switched, the restore is done; the next command cleans up any remains.
 *
 * Undo does the same with store/restore/before as the stage. The content that it replaces moves to
 * `before`, so a second undo brings the restored content back.
 *
 * An item that is on one side only moves to the other. The files of the write-ahead log
 * are items like the store itself. The lock (host/base/lock.h) is held all the time; the
 * folder store/ and the lock in it stay where they are.
 */
#ifndef HOST_BACKUP_RESTORE_SWITCH_H
#define HOST_BACKUP_RESTORE_SWITCH_H

#include <stdbool.h>

#include "base/error.h"

#define RESTORE_FOLDER  "store/restore"
#define RESTORE_STAGE   RESTORE_FOLDER "/stage"
#define RESTORE_BEFORE  RESTORE_FOLDER "/before"
#define RESTORE_JOURNAL RESTORE_FOLDER "/journal"

/* Is there a journal? Needs no lock. */
bool restore_is_pending(int root);

/* With the lock: finish the restore of a journal, if there is one. */
int restore_recover(int root, struct error *err);

/* With the lock and a complete stage, which must be on the disk. */
int restore_switch(int root, struct error *err);

/* With the lock. ERROR_INVALID if there is nothing to undo. */
int restore_undo(int root, struct error *err);

#endif
