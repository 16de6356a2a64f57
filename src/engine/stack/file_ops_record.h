/*
 * Records file operations in the state: `file_ops`, `renames` and `files_deleted` in the entry
 * of the skill, and `path_remap`. For file_ops.c.
 */
#ifndef ENGINE_STACK_FILE_OPS_RECORD_H
#define ENGINE_STACK_FILE_OPS_RECORD_H

#include "engine/session/session.h"

/*
 * Move the record of the file to the new name, not the present content: a person's unrecorded
 * changes stay unrecorded. `file` is the present file.
 */
int file_ops_record_rename(struct session *s, const char *skill, const struct relpath *from,
	const struct relpath *to, const struct tx_file *file, struct error *err);

int file_ops_record_delete(
	struct session *s, const char *skill, const struct relpath *path, struct error *err);

/* A deletion that was decided after the skill was recorded. */
int file_ops_record_resolved(
	struct state *state, const char *skill, const struct relpath *path, struct error *err);

/*
 * For an update: file operations of the previous version still hold, even if the new version
 * does not request them.
 */
void file_ops_record_again(struct session *s, const struct manifest *manifest);

#endif
