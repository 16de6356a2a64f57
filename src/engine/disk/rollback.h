/*
 * Undo the changes of a journal with the saved files.
 *
 * This works on the folder .nanoclaw/tx, needs no space on the disk, and can be interrupted
 * and repeated at any point (T5 in transaction.h).
 *
 * A file that is neither the new one nor the saved one was changed by somebody else, and is
 * never discarded: one version stays in the tree, and the other is moved to .nanoclaw/kept. An
 * exposed file may have been changed by our own commands or by a person: in both modes the saved
 * version is restored, and the other goes to .nanoclaw/kept.
 */
#ifndef ENGINE_DISK_ROLLBACK_H
#define ENGINE_DISK_ROLLBACK_H

#include <stddef.h>

#include "engine/disk/journal.h"
#include "engine/disk/project.h"

enum rollback_mode {
	/* After a crash: the changed file stays, and the saved one is kept. */
	ROLLBACK_KEEP_EDITS,
	/* On request: the saved file is restored, and the changed one is kept. */
	ROLLBACK_RESTORE,
};

struct kept {
	char *path;        /* the file in question */
	char *where;       /* the path of the other version, relative to the project */
	bool edited_stays; /* the edited version is in its place */
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

/* After rollback(): remove .nanoclaw/tx. `nanoclaw` is the open folder .nanoclaw. */
int rollback_end(int nanoclaw, struct error *err);

/*
 * Save a file or link as a hard link, or as a copy with the same times on a file system
 * without hard links.
 */
int saved_link(int fromfd, const char *from, int tofd, const char *to, struct error *err);

/*
 * Move a file of the project to .nanoclaw/kept, if it exists, and add it to the list.
 */
int kept_aside(const struct project *project, const struct relpath *path,
	struct kept_list *kept, struct error *err);

void kept_list_release(struct kept_list *kept);

#endif
