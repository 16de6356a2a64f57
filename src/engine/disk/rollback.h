/*
 * Undo what a journal says, by the files that were saved for it.
 *
 * Works on the folder .nanoclaw/tx, needs no room on the disk, and can be
 * interrupted and repeated at any point (T5 in transaction.h).
 *
 * A file that is neither as the transaction left it nor as it was before has been
 * changed by somebody else in the meantime, and is never thrown away. It goes to,
 * or what was there before goes to, the folder .nanoclaw/kept. Of a file that is
 * exposed to our own commands nobody can tell whether they or a person changed it: in
 * both modes what was there before is back in its place, and the other is kept aside.
 */
#ifndef ENGINE_DISK_ROLLBACK_H
#define ENGINE_DISK_ROLLBACK_H

#include <stddef.h>

#include "engine/disk/journal.h"
#include "engine/disk/project.h"

enum rollback_mode {
	/* After a crash: such a file stays as it is; what was before is kept aside. */
	ROLLBACK_KEEP_EDITS,
	/* We were asked to undo: all is as before, and such a file is kept aside. */
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
