/*
 * The inside of a transaction, for transaction*.c only.
 */
#ifndef ENGINE_TRANSACTION_PARTS_H
#define ENGINE_TRANSACTION_PARTS_H

#include "engine/transaction.h"

struct transaction {
	const struct project *project;
	struct journal journal;
	struct stat *observed; /* by number: what was there when the change was planned */
	size_t observed_cap;
	struct relpath last_read; /* and what transaction_read() saw there */
	struct stat last_stat;
	bool last_present;
	int nanoclaw; /* open folders, once something is staged */
	int tx;
	int stage;
	int saved;
	bool dry;
	struct buf *contents; /* by number, of a dry one */
	size_t content_cap;
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
