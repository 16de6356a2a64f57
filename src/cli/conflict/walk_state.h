/*
 * The state of a walk, which its files share: walk.c goes from conflict to conflict and
 * reads letters, walk_text.c goes through the hunks of a file, walk_whole.c asks about files
 * that are taken or left as a whole.
 */
#ifndef CLI_CONFLICT_WALK_STATE_H
#define CLI_CONFLICT_WALK_STATE_H

#include "cli/conflict/choice.h"
#include "cli/conflict/walk.h"
#include "engine/commit/pending.h"

/* The number of choices that can be undone. */
#define WALK_MAX_CHOICES 32

struct walk {
	const struct conflict_walk *with;
	struct pending pending;
	bool *decided; /* for each conflict that is a decision: it was made */
	char *tool;    /* the merge tool, or NULL */
	struct conflict_choice choices[WALK_MAX_CHOICES];
	size_t choice_count;
	/* Where the person is: the conflict, the place in its text, hunks resolved in it. */
	size_t at;
	size_t from;
	size_t resolved;
};

/* After every hunk. */
#define WALK_FROM_END ((size_t)-1)

enum walk_step {
	WALK_STAY,  /* look at w->at and w->from again */
	WALK_NEXT,  /* this conflict is done, or left for later */
	WALK_LEAVE, /* the person has seen enough */
};

static inline const struct conflict *walk_conflict(const struct walk *w)
{
	return &w->pending.conflicts[w->at];
}

/*
 * One question about the conflict that the person is at. The step is set also on
 * failure: a choice that failed can be made again, a file that cannot be read is left.
 */
int walk_text(struct walk *w, enum walk_step *ret_step, struct error *err);
int walk_whole(struct walk *w, enum walk_step *ret_step, struct error *err);

/* Whether nothing is left to be asked about a conflict. */
int walk_is_resolved(struct walk *w, size_t number, bool *ret_resolved, struct error *err);

/* --- choices ------------------------------------------------------------------------ */

/*
 * Make the choice and remember it, which takes it over. If a file was changed in the
 * meantime, the person sees a message, the walk stays where it is, and `*ret_made` is false.
 */
int walk_choose(
	struct walk *w, struct conflict_choice *choice, bool *ret_made, struct error *err);

/* Remember one that was made, which takes it over. */
void walk_remember(struct walk *w, struct conflict_choice *choice);

/* Take back the last choice, and go to where it was made. */
int walk_undo(struct walk *w, struct error *err);

/* --- letters ------------------------------------------------------------------------ */

struct walk_key {
	char letter;
	const char *says; /* in the row of letters; NULL: only in the help */
	const char *help;
	bool hidden; /* cannot be used now */
};

/*
 * Print the row of letters, and read until one of them is typed; `keys` ends with an
 * empty one. Enter is 's', the end of the input and a signal are 'q'. Help is given
 * here.
 */
char walk_ask(const struct walk *w, const struct walk_key *keys);

#endif
