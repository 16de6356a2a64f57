/*
 * What is learned from a conflict that was resolved, by a person or by a resolver.
 *
 * The three files of a merge and what was made of them are kept (recorded_keep()), and
 * a lesson names them. When the operation succeeds, all its lessons are remembered:
 * as recordings and hunks (rr_cache.h), and for `resolution record` (last_resolved.h).
 */
#ifndef ENGINE_CONFLICT_LESSON_H
#define ENGINE_CONFLICT_LESSON_H

#include "engine/session/session.h"

/* A conflict was resolved with this content. Keeps the content. */
int lesson_add(struct session *s, const struct conflict *conflict, struct view content,
	const char *source, struct error *err);

/* Stage all that is remembered in .nanoclaw. `tested` is whether tests are going to run. */
int lesson_stage(struct session *s, bool tested, struct error *err);

/* Before a pause: git is to know these conflicts, too. */
int lesson_stage_conflicts(struct session *s, struct error *err);

/*
 * After the commit: write what git keeps in its own folder, if it wants that. A
 * failure is a warning, since the operation itself is done.
 */
void lesson_publish(struct session *s);

#endif
