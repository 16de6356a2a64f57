#include <stdio.h>

#include "cli/conflict/take.h"
#include "cli/conflict/walk_state.h"
#include "cli/output.h"

static int choose_whole(struct walk *w, bool theirs, struct error *err)
{
	CLEANUP(conflict_choice_release) struct conflict_choice choice = {0};
	const struct conflict *c = walk_conflict(w);
	bool made;

	if (conflict_take_whole(w->with->project, c, theirs, &choice, err) < 0 ||
		walk_choose(w, &choice, &made, err) < 0)
		return -1;
	w->decided[w->at] = made && c->kind == CONFLICT_DELETE;
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
	case 'o':
		return choose_whole(w, false, err);
	case 'd':
	case 't':
		return choose_whole(w, true, err);
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
