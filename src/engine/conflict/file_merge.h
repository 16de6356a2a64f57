/*
 * One file of the tree, the file as somebody else wants it, and the file that both
 * come from: the three are merged, and the result is staged.
 *
 * A conflict that was resolved before is resolved in the same way (ladder.h). Any other is
 * added to the session's result: with markers in the file, or, where markers cannot show
 * both (binary files), with the other version beside it as FILE.from-SKILL.
 *
 * Where a person chose to leave changes unrecorded (unrecorded.h), what is recorded is
 * the merge into the file as it was recorded before, so that these changes still show. If
 * that is a conflict, too, they are taken out of the file as it is resolved.
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
	 * Of a file that is none of a layer's, and for which nothing is recorded: the path
	 * that its conflicts are known by. Else NULL.
	 */
	const struct relpath *known_as;
	const struct tx_file *ours; /* a TX_FILE */
	const struct ancestor *ancestor;
	struct view theirs;
	mode_t theirs_mode;
	/* Can what is known from before be used? NULL: whatever it is. */
	bool (*is_usable)(const struct file_merge *merge, struct view content);
	void *data; /* for is_usable() */
};

/* "telegram 1.0.0", as it stands at the markers. */
char *file_merge_label(const struct file_merge *merge);

/* The hashes of the three files. */
struct resolution_inputs file_merge_inputs(const struct file_merge *merge);

/* `*ret_merged` is the file as the caller has to record it. */
int file_merge(
	const struct file_merge *merge, struct layer_file *ret_merged, struct error *err);

/* `*ret_recorded` is the resolved file as the caller has to record it; its content is kept. */
int file_merge_resolved(struct session *s, const struct conflict *conflict,
	const struct tx_file *resolved, struct layer_file *ret_recorded, struct error *err);

#endif
