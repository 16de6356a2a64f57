/*
 * Shared by the files of this room.
 */
#ifndef ENGINE_DISK_INTERNAL_H
#define ENGINE_DISK_INTERNAL_H

#include <stdio.h>

#include "engine/disk/history.h"
#include "engine/disk/transaction.h"

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
	struct relpath *prunes; /* folders to remove if they are empty, inner ones first */
	size_t prune_count, prune_cap;
	size_t saved_count;       /* changes whose old files are saved */
	size_t folders_made;      /* of the folders in the journal */
	struct relpath last_read; /* the path that was observed last */
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
	struct history_subject subject;
	bool applied; /* the journal is on the disk */
	bool armed;   /* commands may have changed files */
	bool over;    /* committed, or rolled back */
};

/* Make .nanoclaw/tx when it is first needed. */
int transaction_open_stage(struct transaction *tx, struct error *err);

/* Returns -1: another process changed the file since we read it. */
int transaction_changed_meanwhile(const struct relpath *path, struct error *err);

/* The name of a staged or saved file. */
#define NUMBER_SIZE 16
void transaction_number(unsigned number, char ret_name[static NUMBER_SIZE]);

/*
 * Save a file or link as a hard link, or as a copy with the same times on a file system
 * without hard links.
 */
int saved_link(int fromfd, const char *from, int tofd, const char *to, struct error *err);

/*
 * The process with the lock on this file, in the format of /proc/locks; 0 if none has it. Some
 * file systems (btrfs) have another device there than for stat(): then the inode has to do.
 */
pid_t lock_find_holder(FILE *locks, const struct stat *st);

/* --- names in .nanoclaw (project.c) ---------------------------------------------- */

bool disk_exists(int folder, const char *name);

/* Open a folder, never through a link. Returns -1 with errno. */
int disk_open_folder(int parent, const char *name);

/* Remove a folder of the project if it exists and is empty. */
int project_remove_empty(
	const struct project *project, const struct relpath *path, struct error *err);

#endif
