/*
 * Three-way merge of one file: the file in the tree, the version that a skill, patch or core
 * wants, and their common ancestor. The result is staged.
 *
 * A conflict that was resolved before is resolved in the same way (ladder.h). Any other is added
 * to the session's result: with markers in the file, or, where markers cannot show both (binary
 * files), with the other version next to it as FILE.from-SKILL.
 *
 * If a person chose to leave changes unrecorded (unrecorded.h), the record gets the merge into
 * the previously recorded file, so that these changes still show. If that merge conflicts too,
 * the changes are removed from the resolved file.
 */
#ifndef ENGINE_CONFLICT_FILE_MERGE_H
#define ENGINE_CONFLICT_FILE_MERGE_H

#include "engine/conflict/merge3.h"
#include "engine/disk/tx_file.h"
#include "engine/session/session.h"

/* `*ret_merged` is the file that the caller must record. */
int file_merge(
	const struct file_merge *merge, struct layer_file *ret_merged, struct error *err);

/* `*ret_recorded` is the resolved file that the caller must record; its content is kept. */
int file_merge_resolved(struct session *s, const struct conflict *conflict,
	const struct tx_file *resolved, struct layer_file *ret_recorded, struct error *err);

#endif
