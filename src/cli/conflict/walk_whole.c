#include <stdio.h>

#include "cli/conflict/walk_state.h"
#include "cli/output.h"

/* Of a binary file: the skill's version replaces it, or goes. */
static int choose_version(struct walk *w, bool theirs, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file ours = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file replacement = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file beside = TX_FILE_INIT;
	struct tx_file gone = TX_FILE_INIT;
	const struct conflict *c = walk_conflict(w);
	const struct project *project = w->with->project;
	bool made;

	if (theirs && (conflict_choice_read(project, &c->path, &ours, err) < 0 ||
			      conflict_choice_read(project, &c->beside, &replacement, err) < 0))
		return -1;
	if (conflict_choice_read(project, &c->beside, &beside, err) < 0)
		return -1;
	if (theirs)
		conflict_choice_add(&choice, &c->path, &ours, &replacement);
	conflict_choice_add(&choice, &c->beside, &beside, &gone);
	return walk_choose(w, &choice, &made, err);
}

/* Of a file that the skill deletes. Keeping it changes nothing, and can be undone as well. */
static int choose_deletion(struct walk *w, bool deleted, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	CLEANUP(tx_file_release) struct tx_file before = TX_FILE_INIT;
	CLEANUP(tx_file_release) struct tx_file after = TX_FILE_INIT;
	const struct conflict *c = walk_conflict(w);
	bool made;

	if (conflict_choice_read(w->with->project, &c->path, &before, err) < 0 ||
		(!deleted && conflict_choice_read(w->with->project, &c->path, &after, err) < 0))
		return -1;
	conflict_choice_add(&choice, &c->path, &before, &after);
	if (walk_choose(w, &choice, &made, err) < 0)
		return -1;
	w->decided[w->at] = made;
	return 0;
}

static int ask_whole(struct walk *w, enum walk_step *ret_step, struct error *err)
{
	static const struct walk_key choices[2][2] = {
		{{'o', "keep yours", "keep your file and discard the skill's", false},
			{'t', "take the skill's", "replace your file with the skill's", false}},
		{{'k', "keep it", "keep the file, although the skill deletes it", false},
			{'d', "delete it", "delete the file, as the skill does", false}},
	};
	bool deletes = walk_conflict(w)->kind == CONFLICT_DELETE;
	const struct walk_key keys[] = {
		choices[deletes][0],
		choices[deletes][1],
		{'u', "undo", "undo the last choice", !w->choice_count},
		{'s', "later", "skip it for now", false},
		{'q', "leave", "skip this and everything else for now", false},
		{0},
	};
	char letter = walk_ask(w, keys);

	*ret_step = letter == 's' ? WALK_NEXT : WALK_STAY;
	switch (letter) {
	case 'k':
	case 'd':
		return choose_deletion(w, letter == 'd', err);
	case 'o':
	case 't':
		return choose_version(w, letter == 't', err);
	case 'u':
		return walk_undo(w, err);
	case 's':
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
	if (c->kind == CONFLICT_DELETE) {
		printf("  %s deletes it, and changes would be lost\n", c->skill);
	} else {
		CLEANUP(freep) char *beside = output_path(c->beside.text);

		printf("it cannot be shown side by side; the version of %s is in %s\n",
			c->skill, beside);
	}
	return ask_whole(w, ret_step, err);
}
