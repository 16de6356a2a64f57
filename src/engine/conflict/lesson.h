/*
 * Remembers how a person or a resolver resolved a conflict.
 *
 * The three files of a merge and the resolved file are kept (recorded_keep()), and a lesson
 * names them. When the operation succeeds, all its lessons are remembered: as recordings and
 * hunks (rr_cache.h), and for `resolution record` (last_resolved.h).
 */
#ifndef ENGINE_CONFLICT_LESSON_H
#define ENGINE_CONFLICT_LESSON_H

#include "engine/session/session.h"

/* A conflict was resolved with this content. Keeps the content. */
int lesson_add(struct session *s, const struct conflict *conflict, struct view content,
	const char *source, struct error *err);

/* Stage all that is remembered in .nanoclaw. `tested` is whether tests are going to run. */
int lesson_stage(struct session *s, bool tested, struct error *err);

/* Before a pause: record these conflicts for git, too. */
int lesson_stage_conflicts(struct session *s, struct error *err);

/*
 * After the commit: write the recordings into git's own folder, if rerere is enabled. A failure
 * is only a warning, since the operation is already done.
 */
void lesson_publish(struct session *s);

#endif
