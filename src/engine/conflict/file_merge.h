/*
 * Three-way merge of one file: the file in the tree, the version that a skill, patch or core
 * wants, and their common ancestor. The result is staged.
 *
 * A conflict that was resolved before is resolved in the same way (ladder.h). Any other is
 * added to the session's result: with markers in the file, or, where markers cannot show
 * both (binary files), with the other version beside it as FILE.from-SKILL.
 *
 * If a person chose to leave changes unrecorded (unrecorded.h), the record gets the merge into
 * the previously recorded file, so that these changes still show. If that merge conflicts, too,
 * the changes are taken out of the resolved file.
 */
#ifndef ENGINE_CONFLICT_FILE_MERGE_H
#define ENGINE_CONFLICT_FILE_MERGE_H

#include "engine/disk/tx_file.h"
#include "engine/session/session.h"

/* The file that both sides come from (ancestor.h). */
struct ancestor {
	struct tx_file file; /* TX_ABSENT if the file is in neither base nor tree */
	char *label;         /* "core 0.1.0", "telegram 1.0.0" */
};

#define ANCESTOR_INIT ((struct ancestor){.file = TX_FILE_INIT})

void ancestor_release(struct ancestor *ancestor);

struct file_merge {
	struct session *session;
	const char *skill; /* whose file `theirs` is */
	const char *version;
	const struct relpath *path;
	/*
	 * For a file that belongs to no layer and has no record: the path under which its
	 * conflicts are known. Otherwise NULL.
	 */
	const struct relpath *known_as;
	const struct tx_file *ours; /* a TX_FILE */
	const struct ancestor *ancestor;
	struct view theirs;
	mode_t theirs_mode;
	/* Is an earlier resolution usable here? NULL accepts any. */
	bool (*is_usable)(const struct file_merge *merge, struct view content);
	void *data; /* for is_usable() */
};

/* The label at the markers, such as "telegram 1.0.0". */
char *file_merge_label(const struct file_merge *merge);

/* The hashes of the three files. */
struct resolution_inputs file_merge_inputs(const struct file_merge *merge);

/* `*ret_merged` is the file that the caller must record. */
int file_merge(
	const struct file_merge *merge, struct layer_file *ret_merged, struct error *err);

/* `*ret_recorded` is the resolved file that the caller must record; its content is kept. */
int file_merge_resolved(struct session *s, const struct conflict *conflict,
	const struct tx_file *resolved, struct layer_file *ret_recorded, struct error *err);

#endif
