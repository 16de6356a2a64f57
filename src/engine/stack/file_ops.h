/*
 * The file operations of a skill: rename (or move) and delete.
 *
 * They come before the skill's files, in the order of the manifest, and are staged
 * like everything else. Paths may be old names (remap.h).
 *
 * A renamed file keeps its content, its permissions and all changes; the state maps the old path
 * to the new one, so that skills and updates that use the old path find the file.
 *
 * A file is deleted if it is exactly as the core, or the skill that added it, made it. If
 * changes would be lost, a person is asked; without a terminal, the operation pauses and the
 * file stays. `continue` then keeps the file if it exists, and otherwise records that it is
 * deleted.
 *
 * Completed operations are listed in the skill's entry in state.yaml as `file_ops`, with the
 * paths at that time.
 */
#ifndef ENGINE_STACK_FILE_OPS_H
#define ENGINE_STACK_FILE_OPS_H

#include "engine/package/pack.h"
#include "engine/package/package.h"
#include "engine/session/session.h"

/*
 * Before anything is written, for all skills of a batch in their order: are the
 * sources there, and the targets free? What depends on an earlier skill of the batch
 * is left to file_ops_stage(), which checks everything again.
 */
int file_ops_check(
	struct session *s, const struct package *packages, size_t count, struct error *err);

/* Stage them, and record them in the session's layer. `old` as in ancestor.h. */
int file_ops_stage(struct session *s, const struct manifest *manifest, const struct pack *old,
	struct error *err);

/*
 * After a pause: how a decision about a deletion turned out, whichever operation asked. It
 * is reported, and recorded unless the conflict is `recorded_apart`. `*ret_resolved` is false,
 * with a warning, if something else than the file is there.
 */
int file_ops_resolve(struct session *s, const struct conflict *conflict, bool *ret_resolved,
	struct error *err);

#endif
