/*
 * The inside of a transaction, for transaction*.c only.
 */
#ifndef ENGINE_DISK_TRANSACTION_PARTS_H
#define ENGINE_DISK_TRANSACTION_PARTS_H

#include "engine/disk/history.h"
#include "engine/disk/transaction.h"

struct planned {
	struct stat observed; /* what was there when the change was planned */
	bool placed;          /* there is nothing in the stage that is still to be placed */
	bool replaces;        /* something that an earlier round has placed */
};

struct transaction {
	const struct project *project;
	struct journal journal;
	struct planned *planned; /* by number */
	size_t planned_cap;
	struct relpath *prunes; /* folders to be removed if they are empty, inner ones first */
	size_t prune_count, prune_cap;
	size_t saved_count;       /* changes whose earlier files are saved */
	size_t folders_made;      /* of those in the journal */
	struct relpath last_read; /* and what transaction_read() saw there */
	struct stat last_stat;
	bool last_present;
	int nanoclaw; /* open folders, once something is staged */
	int tx;
	int stage;
	int saved;
	bool dry;
	struct transaction *under; /* of one that lies on top of another; or NULL */
	struct buf *contents;      /* by number, of a dry one */
	size_t content_cap;
	struct history_subject subject;
	bool applied; /* the journal is on the disk: there is something to undo */
	bool armed;   /* commands may have changed files */
	bool over;    /* committed, or rolled back */
};

/* The name of a staged or saved file. */
#define NUMBER_SIZE 16
void transaction_number(unsigned number, char ret_name[static NUMBER_SIZE]);

/* transaction_stage.c: make .nanoclaw/tx when it is first needed. */
int transaction_open_stage(struct transaction *tx, struct error *err);

#endif
