/*
 * The parts of rebase.c.
 */
#ifndef ENGINE_REPLAY_REBASE_PARTS_H
#define ENGINE_REPLAY_REBASE_PARTS_H

#include "engine/replay/rebase.h"

/*
 * rebase_resolutions.c: stage that stale resolutions of .nanoclaw/resolutions go. These are
 * the ones whose skills are all applied in these versions, so that no two of them will ever
 * be merged again, and those that name an applied skill in another version.
 */
int rebase_drop_resolutions(struct session *s, struct rebase_result *result, struct error *err);

/*
 * rebase_contents.c: from a transaction on top of the session's, take over the contents that
 * the session's state names.
 */
int rebase_take_contents(struct session *s, struct transaction *from, struct error *err);

/* How many bytes of contents come with all that is staged. */
int rebase_count_contents(struct session *s, struct rebase_result *result, struct error *err);

/* Stage that contents go which nothing refers to. The last step, when the state is final. */
int rebase_drop_contents(struct session *s, struct rebase_result *result, struct error *err);

/* Stage that a file goes, and its folder if that is empty then; count its bytes. */
int rebase_drop_file(struct session *s, const struct relpath *path,
	struct rebase_result *result, struct error *err);

#endif
