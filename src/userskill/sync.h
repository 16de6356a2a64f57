/*
 * Bring the files of the library into the store, by content.
 *
 *	CLEANUP(sync_report_release) struct sync_report report = SYNC_REPORT_INIT;
 *
 *	if (skill_sync(store, root, setting, &report, err) < 0)
 *		return -1;
 *
 *	added		a file with a new ID, or a missing file that is back
 *	changed		different content, or a different path
 *	gone		its file is missing: it is marked, and nothing is deleted
 *	unchanged	nothing is written
 *
 * All changes are one transaction, so a crash leaves the store either unchanged or complete. If
 * nothing has changed, nothing is written. A file is read again only if it was touched since
 * the last time. Files with errors, and two files with the same ID, are reported and skipped;
 * the stored definition stays.
 *
 * The store owns the status of a skill: a file changes it only if its stated status differs
 * from the one it stated before, and only along the arrows in lifecycle.h.
 */
#ifndef USERSKILL_SYNC_H
#define USERSKILL_SYNC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "db/store.h"

enum sync_kind {
	SYNC_ADDED,
	SYNC_CHANGED,
	SYNC_GONE,
};

/* "added", "changed" or "gone". */
const char *sync_kind_name(enum sync_kind kind);

struct sync_change {
	enum sync_kind kind;
	char *skill;
	char *path; /* with the library in front */
};

struct sync_problem {
	bool error; /* the file is left aside */
	char *text;
	char *hint; /* or NULL */
};

struct sync_report {
	struct sync_change *changes;
	size_t change_count;
	size_t change_cap;
	struct sync_problem *problems;
	size_t problem_count;
	size_t problem_cap;
	size_t counts[SYNC_GONE + 1]; /* by kind */
	size_t unchanged;
	size_t errors; /* among the problems */
	size_t read;   /* files whose content was looked at */
	bool wrote;    /* anything to the store */
};

#define SYNC_REPORT_INIT ((struct sync_report){0})

/* `setting` is SKILL_LIBRARY_PATH, or NULL. */
int skill_sync(struct store *store, int root, const char *setting,
	struct sync_report *ret_report, struct error *err);

void sync_report_release(struct sync_report *report);

#endif
