/*
 * The bytes that a choice about a conflict puts into the project: the same for the walk on
 * a terminal and for 'nanoclaw conflict take'.
 *
 *	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
 *
 *	conflict_take_hunk(&from, &hunk, CONFLICT_TAKE_BOTH, &lines);
 *	... or, for a file that is taken or left as a whole ...
 *	conflict_take_whole(project, conflict, CONFLICT_TAKE_THEIRS, &choice, err);
 *	conflict_choice_make(project, &choice, &made, err);
 */
#ifndef CLI_CONFLICT_TAKE_H
#define CLI_CONFLICT_TAKE_H

#include "cli/conflict/choice.h"
#include "engine/text/conflict_text.h"

enum conflict_take {
	CONFLICT_TAKE_OURS,
	CONFLICT_TAKE_THEIRS,
	CONFLICT_TAKE_BOTH,   /* yours first */
	CONFLICT_TAKE_BOTH_2, /* theirs first */
	CONFLICT_TAKE_COUNT,
};

/* "ours", "theirs", "both", "both-theirs-first" */
extern const char *const conflict_take_names[CONFLICT_TAKE_COUNT];

/* Is the file kept, replaced or deleted as a whole, because it has no hunks? */
bool conflict_is_whole(const struct conflict *conflict);

/*
 * Append the lines that replace a clear hunk of `text`. A side that ended the file without a
 * newline stays that way.
 */
void conflict_take_hunk(const struct project *project, const struct pending *pending,
	const struct conflict *conflict, struct view text, const struct conflict_hunk *hunk,
	enum conflict_take take, struct buf *out);

/*
 * The choice about a whole file. Yours is kept, also if the skill deletes it, which changes
 * nothing; or the skill's binary file replaces yours, or yours is deleted.
 */
int conflict_take_whole(const struct project *project, const struct conflict *conflict,
	bool theirs, struct conflict_choice *ret_choice, struct error *err);

#endif
