/*
 * The history: what it takes to undo operations that are finished (undo.h).
 *
 * What a transaction has saved is not thrown away at its commit, but becomes the entry
 * .nanoclaw/history/N. The newest has the highest number.
 *
 *	done		the journal: what was changed, with the hashes of what was put there
 *	saved/M		the files as they were before: the very files, so this costs no copy
 *	meta.yaml	operation, date, skills, number of files, bytes; its own number, and
 *			those of the entries that go when it comes
 *
 *	                        commit                  rename
 *	[tx/journal, meta.yaml] ------> [tx/done, ....] ------> [history/N]
 *
 * If the operation had paused, tx/next becomes the entry, with all changes since its
 * beginning (pause.h). An undo is committed as tx/undone:
 *
 *	             commit               rename history/N                remove
 *	[tx/journal] ------> [tx/undone] ----------------> [tx/entry] ------> [no tx]
 *
 * Invariants:
 *
 *  H1. Everything of an entry is on the disk before the commit; after it only renames and
 *	removals are left, which were planned before, need no room and can be repeated.
 *	recovery.h does them after a crash.
 *  H2. While tx/undone is there without tx/entry, the newest entry is the undone one. So
 *	one undo never drops more than one entry.
 *  H3. An entry that is dropped is first moved into tx, so the history never has half of
 *	one.
 *
 * The history is bounded, by entries and by bytes; the oldest goes first. The newest stays,
 * however large it is.
 *
 * Settings:
 *	NANOCLAW_HISTORY_ENTRIES	how many entries; 0: no history at all
 *	NANOCLAW_HISTORY_MEGABYTES	how much the saved files of all may hold
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
	char **skills; /* or patches: what it was about */
	size_t skill_count;
	uint64_t files; /* of the project that it changed, without those in .nanoclaw */
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

/* --- for transactions only: `nanoclaw` is the open folder -------------------------------- */

/* What an operation was about. */
struct history_subject {
	char **names;
	size_t count;
	size_t cap;
};

/*
 * Before the commit: make `folder`, which is "tx" or "tx/next" and holds what was saved,
 * ready to become an entry.
 */
int history_prepare(int nanoclaw, const char *folder, const struct journal *journal,
	const struct history_subject *subject, struct error *err);

/*
 * After the commit: if the folder was prepared, it becomes the newest entry, and older ones
 * go as the bounds say. `folder` is gone then.
 */
int history_add(int nanoclaw, const char *folder, struct error *err);

/* After the commit of an undo: drop the newest entry, once (H2). */
int history_drop_undone(int nanoclaw, struct error *err);

/* What it is called in the history. */
#define REBUILD_OPERATION "doctor --fix"

#endif
