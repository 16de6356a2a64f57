/*
 * A person's choice for a conflict: files changed at once, and undone on request.
 *
 *	struct conflict_choice choice = {0};
 *
 *	conflict_choice_read(project, &path, &before, err);
 *	... make `after` of it ...
 *	conflict_choice_add(&choice, &path, &before, &after);
 *	conflict_choice_make(project, &choice, &made, err);
 *	... and perhaps, later ...
 *	conflict_choice_undo(project, &choice, &undone, err);
 *
 * Each file changes by one rename, and only if it has not changed since the choice was shown.
 * The new file is created in .nanoclaw/tx; since there is no journal, the next command removes
 * it (recovery.h), so a crash leaves nothing in the tree. The project must be locked. Between
 * the check and the rename, an editor could still save the file: no file system can prevent
 * that.
 */
#ifndef CLI_CONFLICT_CHOICE_H
#define CLI_CONFLICT_CHOICE_H

#include <stdbool.h>

#include "engine/commit/pending.h"
#include "engine/disk/transaction.h"

#define CONFLICT_CHOICE_FILES 2

struct conflict_choice_file {
	struct relpath path;
	struct tx_file before;
	struct tx_file after;
};

struct conflict_choice {
	struct conflict_choice_file files[CONFLICT_CHOICE_FILES];
	size_t count;
	/* The position in the walk where it was made, to return there. */
	size_t conflict;
	size_t from;
	size_t resolved;
};

/* A file or link as it is now; TX_ABSENT if there is none. */
int conflict_choice_read(const struct project *project, const struct relpath *path,
	struct tx_file *ret_file, struct error *err);

/* Are the markers, or the file beside a binary one, gone? Not for CONFLICT_DELETE. */
int conflict_file_resolved(const struct project *project, const struct conflict *conflict,
	bool *ret_resolved, struct error *err);

/* Both files are taken over, and empty afterwards. */
void conflict_choice_add(struct conflict_choice *choice, const struct relpath *path,
	struct tx_file *before, struct tx_file *after);

/* `*ret_made` is false if a file was changed in the meantime; then nothing is written. */
int conflict_choice_make(const struct project *project, const struct conflict_choice *choice,
	bool *ret_made, struct error *err);

/* The reverse. */
int conflict_choice_undo(const struct project *project, const struct conflict_choice *choice,
	bool *ret_undone, struct error *err);

void conflict_choice_release(struct conflict_choice *choice);

#endif
