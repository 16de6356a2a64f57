/*
 * Removes layers from the stack: skills with the patches tied to them, one patch, or all
 * patches. Their entries are deleted, and the layers above get the file names that apply without
 * them. thread.h then computes the files that these layers produce.
 *
 *	CLEANUP(stack_drop_release) struct stack_drop drop = STACK_DROP_INIT;
 *
 *	string_array_add(&drop.skills, "telegram");
 *	if (stack_drop(s, &drop, err) < 0)
 *		return -1;
 */
#ifndef ENGINE_STACK_DROP_H
#define ENGINE_STACK_DROP_H

#include "base/string_array.h"
#include "engine/session/session.h"
#include "engine/state/layer.h"

struct stack_drop {
	struct string_array skills;
	char *one_patch;                /* its name, instead of skills; or NULL */
	bool all_patches;               /* and the baked changes, instead of skills */
	struct state before;            /* the session's state, as it was */
	struct layers layers;           /* of that */
	size_t *index;                  /* of each of them: where it is now */
	struct dropped_rename *renames; /* of the dropped layers, in their order */
	size_t rename_count, rename_cap;
};

/* A rename that is undone for the layers above it. */
struct dropped_rename {
	struct relpath from;
	struct relpath to;
	size_t layer;
	size_t heir; /* the layer that requests the same rename; SIZE_MAX: none does */
	size_t last; /* renames the file away: then `to` is another file; SIZE_MAX: none does */
};

#define STACK_DROP_INIT ((struct stack_drop){.before = STATE_INIT, .layers = LAYERS_INIT})

int stack_drop(struct session *s, struct stack_drop *drop, struct error *err);

bool stack_drop_has(const struct stack_drop *drop, const struct layer *layer);

/* The name of the dropped layer for messages: the first skill, or the patch. */
const char *stack_drop_subject(const struct stack_drop *drop);

/*
 * The name of a file in a layer, without the renames of the dropped ones. `layer` is an index
 * into `layers`, or their count: above all of them.
 */
struct relpath stack_drop_name_now(
	const struct stack_drop *drop, size_t layer, const struct relpath *then);

/*
 * The files of dropped patches stay in .nanoclaw/custom for the person. Stage a line at the end
 * of each note which says that the patch was discarded, alone or with its skill. Without this
 * line, a rebuild of a lost state would restore the patch.
 */
int stack_drop_note_discarded(
	struct session *s, const struct stack_drop *drop, struct error *err);

/*
 * Was the patch with this note discarded? It was, too, if it is tied to a skill that
 * `state` does not have; NULL if no state is known.
 */
bool custom_is_discarded(struct view note, const struct state *state);

void stack_drop_release(struct stack_drop *drop);

#endif
