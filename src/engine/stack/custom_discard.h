/*
 * Custom patches that were discarded: alone, or with the skill that they were tied to.
 *
 * Their files stay in .nanoclaw/custom for the person, and a line at the end of the note
 * says that they were discarded. So they are not taken for patches that the state has lost,
 * not even where the state is lost, too.
 */
#ifndef ENGINE_STACK_CUSTOM_DISCARD_H
#define ENGINE_STACK_CUSTOM_DISCARD_H

#include "base/string_array.h"
#include "engine/session/session.h"

struct stack_drop;

/* Stage that line for each patch that was dropped. */
int custom_discard(struct session *s, const struct stack_drop *drop, struct error *err);

/*
 * Was the patch with this note discarded? It was, too, if it is tied to a skill that
 * `state` does not have; NULL if no state is known.
 */
bool custom_is_discarded(struct view note, const struct state *state);

#endif
