#include <stdio.h>

#include "cli/conflict/walk_state.h"
#include "cli/output.h"

/* --- binary files ----------------------------------------------------------------------- */

static int keep_yours(struct walk *w, bool *ret_made, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;
	struct tx_file gone = TX_FILE_INIT;
	const struct conflict *c = walk_conflict(w);

	if (conflict_choice_read(w->with->project, &c->beside, &beside, err) < 0)
		return -1;
	conflict_choice_add(&choice, &c->beside, &beside, &gone);
	return walk_choose(w, &choice, ret_made, err);
}

static int take_theirs(struct walk *w, bool *ret_made, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file theirs = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;
	struct tx_file gone = TX_FILE_INIT;
	const struct conflict *c = walk_conflict(w);

	if (conflict_choice_read(w->with->project, &c->path, &ours, err) < 0 ||
		conflict_choice_read(w->with->project, &c->beside, &theirs, err) < 0 ||
		conflict_choice_read(w->with->project, &c->beside, &beside, err) < 0)
		return -1;
	conflict_choice_add(&choice, &c->path, &ours, &theirs);
	conflict_choice_add(&choice, &c->beside, &beside, &gone);
	return walk_choose(w, &choice, ret_made, err);
}

static int ask_binary(struct walk *w, enum walk_step *ret_step, struct error *err)
{
	const struct walk_key keys[] = {
		{'o', "keep yours", "keep your file and discard the skill's", false},
		{'t', "take the skill's", "replace your file with the skill's", false},
		{'u', "undo", "undo the last choice", !w->choice_count},
		{'s', "later", "skip it for now", false},
		{'q', "leave", "skip this and everything else for now", false},
		{0},
	};
	const struct conflict *c = walk_conflict(w);
	CLEANUP(freep) char *beside = output_path(c->beside.text);
	bool made;

	printf("it cannot be shown side by side; the version of %s is in %s\n", c->skill,
		beside);
	*ret_step = WALK_STAY;
	switch (walk_ask(w, keys)) {
	case 'o':
		return keep_yours(w, &made, err);
	case 't':
		return take_theirs(w, &made, err);
	case 'u':
		return walk_undo(w, err);
	case 's':
		*ret_step = WALK_NEXT;
		return 0;
	default:
		*ret_step = WALK_LEAVE;
		return 0;
	}
}

/* --- decisions --------------------------------------------------------------------------- */

/* A choice that changes nothing can be taken back all the same. */
static int decide(struct walk *w, bool delete, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	const struct conflict *c = walk_conflict(w);
	bool made;

	if (conflict_choice_read(w->with->project, &c->path, &before, err) < 0 ||
		(!delete &&conflict_choice_read(w->with->project, &c->path, &after, err) < 0))
		return -1;
	conflict_choice_add(&choice, &c->path, &before, &after);
	if (walk_choose(w, &choice, &made, err) < 0)
		return -1;
	w->decided[w->at] = made;
	return 0;
}

static int ask_decision(struct walk *w, enum walk_step *ret_step, struct error *err)
{
	const struct walk_key keys[] = {
		{'k', "keep it", "keep the file, although the skill deletes it", false},
		{'d', "delete it", "delete the file, as the skill does", false},
		{'u', "undo", "undo the last choice", !w->choice_count},
		{'s', "later", "skip it for now", false},
		{'q', "leave", "skip this and everything else for now", false},
		{0},
	};

	printf("  %s deletes it, and changes would be lost\n", walk_conflict(w)->skill);
	*ret_step = WALK_STAY;
	switch (walk_ask(w, keys)) {
	case 'k':
		return decide(w, false, err);
	case 'd':
		return decide(w, true, err);
	case 'u':
		return walk_undo(w, err);
	case 's':
		*ret_step = WALK_NEXT;
		return 0;
	default:
		*ret_step = WALK_LEAVE;
		return 0;
	}
}

int walk_whole(struct walk *w, enum walk_step *ret_step, struct error *err)
{
	const struct conflict *c = walk_conflict(w);
	CLEANUP(freep) char *path = output_path(c->path.text);
	bool resolved;

	*ret_step = WALK_NEXT;
	if (walk_is_resolved(w, w->at, &resolved, err) < 0)
		return -1;
	if (resolved)
		return 0;
	printf("\n%s%s%s\n", output_color(w->with->cli, COLOR_BOLD), path,
		output_color(w->with->cli, COLOR_RESET));
	return c->kind == CONFLICT_DELETE ? ask_decision(w, ret_step, err)
					  : ask_binary(w, ret_step, err);
}
