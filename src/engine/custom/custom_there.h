/*
 * Finds the changes of a patch that a file already has.
 *
 * A merge cannot do that: it accepts a change that both sides made only if no other change is
 * right next to it.
 */
#ifndef ENGINE_CUSTOM_CUSTOM_THERE_H
#define ENGINE_CUSTOM_CUSTOM_THERE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/*
 * The file before the patch plus those of its changes that `ours` already has: the right
 * ancestor for merging the rest. Empty if `ours` has none of them.
 */
int custom_there(struct view before, struct view after, struct view ours,
	struct buf *ret_ancestor, struct error *err);

#endif
