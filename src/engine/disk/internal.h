/*
 * Shared by the two files of a transaction.
 */
#ifndef ENGINE_DISK_INTERNAL_H
#define ENGINE_DISK_INTERNAL_H

#include "base/buf.h"
#include "base/string_array.h"
#include "engine/disk/journal.h"
#include "engine/disk/project.h"

struct planned {
	struct stat observed; /* the file in the tree when the change was planned */
	bool placed;          /* the change has been made */
	bool replaces;        /* replaces a file of an earlier round */
};

struct transaction {
	const struct project *project;
	struct journal journal;
	struct planned *planned; /* by number */
	size_t planned_cap;
	struct relpath_list prunes; /* folders to remove if they are empty, inner ones first */
	size_t saved_count;         /* changes whose old files are saved */
	size_t folders_made;        /* of the folders in the journal */
	struct relpath last_read;   /* the path that was observed last */
	struct stat last_stat;
	bool last_present;
	int nanoclaw; /* open folders, once something is staged */
	int tx;
	int stage;
	int saved;
	bool dry;
	struct transaction *under; /* see transaction_new_over(); or NULL */
	struct buf *contents;      /* by number, of a dry run */
	size_t content_cap;
	struct string_array subject; /* for the history: the skills or patches it concerns */
	bool applied;                /* the journal is on the disk */
	bool armed;                  /* commands may have changed files */
	bool over;                   /* committed, or rolled back */
};

/* Make .nanoclaw/tx when it is first needed. */
int transaction_open_stage(struct transaction *tx, struct error *err);

/* Returns -1: another process changed the file since we read it. */
int transaction_changed_meanwhile(const struct relpath *path, struct error *err);

#endif
