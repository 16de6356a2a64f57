/*
 * Which of the changes of a patch are in a file already.
 *
 * A merge cannot tell: a change that both sides have made is no conflict for it only
 * as long as nothing else stands right beside it.
 */
#ifndef ENGINE_CUSTOM_CUSTOM_THERE_H
#define ENGINE_CUSTOM_CUSTOM_THERE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"

/*
 * The file before the patch, with those of its changes that `ours` has already: the
 * right ancestor for the rest. Empty if it has none of them.
 */
int custom_there(struct view before, struct view after, struct view ours,
	struct buf *ret_ancestor, struct error *err);

#endif
