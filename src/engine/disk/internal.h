/*
 * What the files of this room share.
 */
#ifndef ENGINE_DISK_INTERNAL_H
#define ENGINE_DISK_INTERNAL_H

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

/* transaction_stage.c: make .nanoclaw/tx when it is first needed. */
int transaction_open_stage(struct transaction *tx, struct error *err);

/* Returns -1: somebody else changed the file since we read it. */
int transaction_changed_meanwhile(const struct relpath *path, struct error *err);

/* The name of a staged or saved file. */
#define NUMBER_SIZE 16
void transaction_number(unsigned number, char ret_name[static NUMBER_SIZE]);

/*
 * Give a file or link a second name, under which it is saved; a copy with the same times
 * where the file system has no second names.
 */
int saved_link(int fromfd, const char *from, int tofd, const char *to, struct error *err);

/* --- names in .nanoclaw (project.c) ---------------------------------------------- */

bool disk_exists(int folder, const char *name);

/* Open a folder, never through a link. Returns -1 with errno. */
int disk_open_folder(int parent, const char *name);

/* Remove a folder of the project if it is there and empty. */
int project_remove_empty(
	const struct project *project, const struct relpath *path, struct error *err);

#endif
