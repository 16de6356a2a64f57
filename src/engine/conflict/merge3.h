/*
 * Merges three versions of a file without a person: text like git does, anything else only if
 * just one side changed it.
 */
#ifndef ENGINE_CONFLICT_MERGE3_H
#define ENGINE_CONFLICT_MERGE3_H

#include <stdbool.h>

#include "engine/disk/transaction.h"
#include "engine/resolution/resolution_meta.h"

/* A regular file without NUL bytes: its lines can be merged. */
bool merge3_is_text(const struct tx_file *file);

/*
 * Both `ours` and `theirs` come from `base`. `*ret_clean` is false, and the file empty, if
 * they contradict each other.
 */
int merge3(const struct tx_file *base, const struct tx_file *ours, const struct tx_file *theirs,
	struct tx_file *ret_file, bool *ret_clean, struct error *err);

/* --- with a skill, for file_merge() and ladder_climb() -------------------------------- */

struct session;

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
	const char *says[2]; /* what each side means, for its label; or NULL */
	bool without;        /* `theirs` is the file without the skill, which is removed */
	/* Is an earlier resolution usable here? NULL accepts any. */
	bool (*is_usable)(const struct file_merge *merge, struct view content);
	void *data; /* for is_usable() */
};

/* The label at the markers, such as "telegram 1.0.0". */
char *file_merge_label(const struct file_merge *merge);

/* The hashes of the three files. */
struct resolution_inputs file_merge_inputs(const struct file_merge *merge);

#endif
