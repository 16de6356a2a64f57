/*
 * A package on its way to the disk: its files in memory.
 *
 *	CLEANUP(draft_release) struct draft draft = DRAFT_INIT;
 *
 *	draft_add(&draft, "manifest.yaml", text, 0644);
 *	if (draft_place(&draft, &project, &folder, err) < 0)
 *		return -1;
 *
 * The folder appears by one rename, with all that is in it and with the folders above it that
 * were missing. Until then everything is in .nanoclaw/tx, which the next command removes if we
 * die (recovery.h). It is no operation on the tree: there is no journal, and no undo that would
 * take away what its author has written since.
 */
#ifndef ENGINE_AUTHOR_DRAFT_H
#define ENGINE_AUTHOR_DRAFT_H

#include <sys/types.h>

#include "engine/disk/project.h"
#include "engine/disk/transaction.h"

struct draft_file {
	char *name; /* below the folder of the package */
	struct buf content;
	mode_t mode;
};

struct draft {
	struct draft_file *list;
	size_t count;
	size_t cap;
};

#define DRAFT_INIT ((struct draft){0})

void draft_add(struct draft *draft, const char *name, struct view content, mode_t mode);
void draft_release(struct draft *draft);

/* Stage it in a transaction, for package_load_staged(). */
int draft_stage(const struct draft *draft, struct transaction *tx, const struct relpath *folder,
	struct error *err);

/*
 * Put it there, durably. The project must be locked, and recovered. What is there already is
 * left alone: ERROR_INVALID with errnum EEXIST.
 */
int draft_place(const struct draft *draft, const struct project *project,
	const struct relpath *folder, struct error *err);

#endif
