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
 * operation began (pause.h). An undo is committed as tx/undone. Then it becomes history/redo,
 * with the undone entries, and with the earlier redo as `older`:
 *
 *	             commit              rename history/N                    rename
 *	[tx/journal] ------> [tx/undone] ---------------> [tx/entries/N] ------> [history/redo]
 *	                                 rename history/redo
 *	                                 ---------------> [tx/older]
 *
 * A redo is committed as tx/redone. Then the entries return to the history:
 *
 *	             commit              rename history/redo               rename
 *	[tx/journal] ------> [tx/redone] ---------------> [tx/entry] ------> [history/N, redo]
 *
 * Every other operation drops history/redo.
 *
 * Invariants:
 *
 *  H1. All of an entry is on the disk before the commit. After it only renames and
 *	removals are left, which were planned before, need no space and can be repeated;
 *	after a crash recovery.h does them.
 *  H2. The journal of an undo names the oldest entry that it takes back. All entries from
 *	that number on are moved, and that can be repeated: no entry is added while tx exists.
 *  H3. An entry that is dropped is first moved into tx, so half an entry is never in the
 *	history.
 *
 * The history is limited by entries and by bytes; the oldest entries are dropped first. The
 * newest one stays, however large it is. The data for a redo does not count.
 *
 * Settings:
 *	NANOCLAW_HISTORY_ENTRIES	maximum number of entries; 0: no history
 *	NANOCLAW_HISTORY_MEGABYTES	maximum size of all saved files together
 */
#ifndef ENGINE_DISK_HISTORY_H
#define ENGINE_DISK_HISTORY_H

#include <stdint.h>

#include "base/string_array.h"
#include "engine/disk/journal.h"
#include "engine/disk/project.h"

#define HISTORY_DEFAULT_ENTRIES   20
#define HISTORY_DEFAULT_MEGABYTES 256

struct history_entry {
	unsigned number;
	char *operation; /* "skill apply" */
	char *finished_at;
	struct string_array skills; /* or patches */
	uint64_t files;             /* changed files outside .nanoclaw */
	uint64_t bytes;             /* of the saved files */
	unsigned step;              /* if undone: 1 for the next redo, 2 for the one after */
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

/* Entries that can be redone; those of the next redo first. */
int history_load_redo(
	const struct project *project, struct history *ret_history, struct error *err);

/* Open the last undo: its journal, and the folder of its saved files. */
int history_open_redo(const struct project *project, struct journal *ret_journal,
	int *ret_saved, struct error *err);

/* --- for transactions only: `nanoclaw` is the open folder .nanoclaw --- */

/*
 * Before the commit: prepare `folder`, which is "tx" or "tx/next" and holds the saved
 * files, to become an entry. `subject` has the skills or patches that the operation is
 * about.
 */
int history_prepare(int nanoclaw, const char *folder, const struct journal *journal,
	const struct string_array *subject, struct error *err);

/*
 * After the commit: a prepared folder becomes the newest entry by a rename, and older
 * entries are dropped as planned.
 */
int history_add(int nanoclaw, const char *folder, struct error *err);

/* After the commit of an undo with this journal: tx becomes history/redo (H2). */
int history_undone(int nanoclaw, const struct journal *journal, struct error *err);

/* After the commit of a redo: the entries are back, and history/redo is the earlier one. */
int history_redone(int nanoclaw, struct error *err);

/* The name of a rebuild in the history. */
#define REBUILD_OPERATION "doctor --fix"

#endif
