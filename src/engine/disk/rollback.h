/*
 * Undo what a journal says, by the files that were saved for it.
 *
 * Works on the folder .nanoclaw/tx, needs no room on the disk, and can be
 * interrupted and repeated at any point (T5 in transaction.h).
 *
 * If a file is neither as the transaction left it nor as it was before, somebody else has
 * changed it in the meantime. It is never thrown away: one of the two versions stays in
 * its place, and the other goes to .nanoclaw/kept. A file that is exposed to our own
 * commands may have been changed by them or by a person: in both modes the version from
 * before is restored, and the other is kept aside.
 */
#ifndef ENGINE_DISK_ROLLBACK_H
#define ENGINE_DISK_ROLLBACK_H

#include <stddef.h>

#include "engine/disk/journal.h"
#include "engine/disk/project.h"

enum rollback_mode {
	/* After a crash: such a file stays as it is; the earlier version is kept aside. */
	ROLLBACK_KEEP_EDITS,
	/* An undo that was asked for: all is as before, and such a file is kept aside. */
	ROLLBACK_RESTORE,
};

struct kept {
	char *path;        /* the file in question */
	char *where;       /* where the other version of it is, relative to the project */
	bool edited_stays; /* it is in its place, as it was edited */
	bool exposed;      /* a command of ours may have changed it */
};

struct kept_list {
	struct kept *list;
	size_t count;
	size_t cap;
};

#define KEPT_LIST_INIT ((struct kept_list){0})

int rollback(const struct project *project, const struct journal *journal,
	enum rollback_mode mode, struct kept_list *kept, struct error *err);

/* After it: .nanoclaw/tx goes. `nanoclaw` is the open folder. */
int rollback_end(int nanoclaw, struct error *err);

/*
 * Move a file of the project to .nanoclaw/kept and note it; nothing is done if
 * there is no file.
 */
int kept_aside(const struct project *project, const struct relpath *path,
	struct kept_list *kept, struct error *err);

void kept_list_release(struct kept_list *kept);

#endif
