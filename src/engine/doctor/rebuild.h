/*
 * The recovery guarantee: rebuilds a consistent state from whatever is left of .nanoclaw,
 * without changing the tree.
 *
 *	CLEANUP(rebuild_report_release) struct rebuild_report report = REBUILD_REPORT_INIT;
 *
 *	if (rebuild_survey(&project, &report, err) < 0)
 *		return -1;
 *	if (report.damages)
 *		rebuild_run(&project, &report, err)
 *
 * Lost parts are found again where possible: a content by its hash, in the tree, the base,
 * packs, packages, kept objects, the history and git; a skill by its pack, or by its package if
 * the tree has its files and lines; the order by the state, an older one in the history or in
 * git, the notes of patches and `depends`. From these it makes a stack: the core and its layers
 * are staged again, in memory and by the code of an apply, and a conflict is resolved as in the
 * tree. The result is the new record. A difference between it and the tree counts as the
 * person's change, and `status` shows it.
 *
 * Invariants:
 *
 * R1. No file of the tree is changed, so no line is lost.
 *  R2. All changes in .nanoclaw are one transaction. Before it, only things that no command can
 *	use are moved out of the way.
 *  R3. A file of .nanoclaw that is replaced or removed is copied to .nanoclaw/kept first.
 *	Unused contents in objects/ are left alone.
 *  R4. A part that was found by its hash is sure; everything else is called a guess.
 *  R5. git is only read, and only by commands that take no lock.
 *  R6. A file that cannot be read, for another reason than that it is missing or malformed, may be
 *	intact. It is reported, and nothing is rebuilt.
 */
#ifndef ENGINE_DOCTOR_REBUILD_H
#define ENGINE_DOCTOR_REBUILD_H

#include "engine/commit/pending.h"
#include "engine/disk/project.h"

enum rebuild_certainty {
	REBUILD_SURE,
	REBUILD_GUESS,
	REBUILD_LOST, /* it is no longer in the record */
};

extern const char *const rebuild_certainty_names[];

struct rebuild_note {
	enum rebuild_certainty certainty;
	char *text;
};

struct rebuild_report {
	struct string_array damaged; /* the damage, a sentence each */
	size_t damages;
	bool paused;                        /* a paused operation must be finished first */
	bool waiting;                       /* one was interrupted, and is still to be undone */
	bool refused;                       /* it is not ours to mend: a newer state */
	bool committed;                     /* all of it is gone, and git's HEAD has it */
	bool state_cut;                     /* its end is missing */
	bool broken_backup;                 /* a pause that cannot be continued or undone */
	bool broken_operation;              /* the same for an operation that was interrupted */
	struct string_array broken_history; /* steps of undo that are not whole */
	bool replay;                        /* more than the history is damaged */
	/* Of a rebuild: */
	struct rebuild_note *notes;
	size_t note_count, note_cap;
	char *kept; /* where the former files are, or NULL */
};

#define REBUILD_REPORT_INIT ((struct rebuild_report){0})

/* Is anything damaged or contradictory? The project need not be locked. */
int rebuild_survey(
	const struct project *project, struct rebuild_report *ret_report, struct error *err);

/*
 * Rebuild what .nanoclaw has. The project must be locked. `report` is of the survey, and
 * gets the notes.
 */
int rebuild_run(
	const struct project *project, struct rebuild_report *report, struct error *err);

/*
 * Files of the core, of skills and patches that are not in the tree, and whose content is
 * known by its hash. A person may have deleted them on purpose.
 */
int rebuild_find_deleted(
	const struct project *project, struct string_array *ret_paths, struct error *err);

/* Bring these back, in one transaction. The project must be locked. */
int rebuild_restore(
	const struct project *project, const struct string_array *paths, struct error *err);

/* Conflict markers in files of the core or of a skill, while nothing is paused. */
struct rebuild_marker {
	char *path;
	size_t line; /* of the first, from 1 */
};

struct rebuild_markers {
	struct rebuild_marker *list;
	size_t count, cap;
};

int rebuild_find_markers(
	const struct project *project, struct rebuild_markers *ret_markers, struct error *err);
void rebuild_markers_release(struct rebuild_markers *markers);

void rebuild_report_release(struct rebuild_report *report);

#endif
