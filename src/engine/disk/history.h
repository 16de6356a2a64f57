/*
 * The history: data to undo finished operations (undo.h).
 *
 * The saved files of a transaction are not deleted at its commit; they become the entry
 * .nanoclaw/history/N. The newest entry has the highest number.
 *
 *	done		the journal: all changes, with the hashes of the new files
 *	saved/M		the old files themselves, so this costs no copy
 *	meta.yaml	operation, date, skills, number of files, bytes; the number of the
 *			entry, and the numbers of the older entries that it displaces
 *
 *	                        commit                  rename
 *	[tx/journal, meta.yaml] ------> [tx/done, ....] ------> [history/N]
 *
 * If the operation had paused, tx/next becomes the entry, with all changes since the
 * operation began (pause.h). An undo is committed as tx/undone:
 *
 *	             commit               rename history/N                remove
 *	[tx/journal] ------> [tx/undone] ----------------> [tx/entry] ------> [no tx]
 *
 * Invariants:
 *
 *  H1. All of an entry is on the disk before the commit. After it only renames and
 *	removals are left, which were planned before, need no space and can be repeated;
 *	after a crash recovery.h does them.
 *  H2. While tx/undone exists and tx/entry does not, the newest entry is the undone one.
 *	So one undo never drops two entries.
 *  H3. An entry that is dropped is first moved into tx, so half an entry is never in the
 *	history.
 *
 * The history is bounded by entries and by bytes; the oldest entries go first. The newest
 * one stays, however large it is.
 *
 * Settings:
 *	NANOCLAW_HISTORY_ENTRIES	maximum number of entries; 0: no history
 *	NANOCLAW_HISTORY_MEGABYTES	maximum size of all saved files together
 */
#ifndef ENGINE_DISK_HISTORY_H
#define ENGINE_DISK_HISTORY_H

#include <stdint.h>

#include "engine/disk/journal.h"
#include "engine/disk/project.h"

#define HISTORY_DEFAULT_ENTRIES   20
#define HISTORY_DEFAULT_MEGABYTES 256

struct history_entry {
	unsigned number;
	char *operation; /* "skill apply" */
	char *finished_at;
	char **skills; /* or patches */
	size_t skill_count;
	uint64_t files; /* changed files outside .nanoclaw */
	uint64_t bytes; /* of the saved files */
};

struct history {
	struct history_entry *entries; /* the oldest first */
	size_t count;
	size_t cap;
};

#define HISTORY_INIT ((struct history){0})

int history_load(const struct project *project, struct history *ret_history, struct error *err);
void history_release(struct history *history);
void history_entry_release(struct history_entry *entry);

/* Open an entry: its journal, and the folder of its saved files. */
int history_open(const struct project *project, unsigned number, struct journal *ret_journal,
	int *ret_saved, struct error *err);

/* --- for transactions only: `nanoclaw` is the open folder .nanoclaw --- */

/* The skills or patches that an operation is about. */
struct history_subject {
	char **names;
	size_t count;
	size_t cap;
};

/*
 * Before the commit: prepare `folder`, which is "tx" or "tx/next" and holds the saved
 * files, to become an entry.
 */
int history_prepare(int nanoclaw, const char *folder, const struct journal *journal,
	const struct history_subject *subject, struct error *err);

/*
 * After the commit: a prepared folder becomes the newest entry by a rename, and older
 * entries are dropped as planned.
 */
int history_add(int nanoclaw, const char *folder, struct error *err);

/* After the commit of an undo: drop the newest entry, once (H2). */
int history_drop_undone(int nanoclaw, struct error *err);

/* The name of a rebuild in the history. */
#define REBUILD_OPERATION "doctor --fix"

#endif
