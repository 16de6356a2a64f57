/*
 * What file operations leave in the state: `file_ops`, `renames` and `files_deleted`
 * in the entry of the skill, and `path_remap`. For file_ops.c.
 */
#ifndef ENGINE_STACK_FILE_OPS_RECORD_H
#define ENGINE_STACK_FILE_OPS_RECORD_H

#include "engine/session/session.h"

/*
 * The recorded file continues, not the one that was found: what a person changed
 * without a record stays such a change. `file` is what was found.
 */
int file_ops_record_rename(struct session *s, const char *skill, const struct relpath *from,
	const struct relpath *to, const struct tx_file *file, struct error *err);

int file_ops_record_delete(
	struct session *s, const char *skill, const struct relpath *path, struct error *err);

/* A deletion that was decided after the skill was recorded. */
int file_ops_record_resolved(
	struct state *state, const char *skill, const struct relpath *path, struct error *err);

/*
 * For an update: what the version before has done still holds, whether or not the new
 * one asks for it.
 */
void file_ops_record_again(struct session *s, const struct manifest *manifest);

#endif
