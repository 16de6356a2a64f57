/*
 * Patches in git's format, as `git diff --binary --full-index -M` writes and `git apply`
 * reads them.
 *
 * To make one, give it the files before and after:
 *
 *	CLEANUP(patch_release) struct patch patch = PATCH_INIT;
 *	struct patch_side old = {PATCH_FILE, false, old_text};
 *	struct patch_side new = {PATCH_FILE, true, new_text};
 *
 *	if (patch_add_change(&patch, &path, &old, &path, &new, err) < 0)
 *		return -1;
 *	if (patch_find_renames(&patch, err) < 0 || patch_write(&patch, &text, err) < 0)
 *		return -1;
 *
 * To use one:
 *
 *	if (patch_parse(text, "fix.patch", &patch, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < patch.count; i++)
 *		patch_apply(&patch.changes[i], PATCH_FORWARD, &before, &after, err)
 *
 * A patch is a list of changes to files: a creation (no old path), a deletion (no new path), a
 * change of content or executable bit, or a rename, perhaps with such a change. If a file
 * becomes a link or the reverse, that is a deletion and a creation of the same path, as in git.
 * So to apply a patch, read all old files first, then remove, then write; a path that is
 * removed may become a folder.
 *
 * Contents are bytes. If a file is binary before or after (merge_is_binary()), the patch has
 * all of it, with its hash; otherwise it has hunks with three lines of context.
 *
 * Text and contents of one patch have at most PATCH_MAX_SIZE bytes together.
 */
#ifndef ENGINE_PATCH_PATCH_H
#define ENGINE_PATCH_PATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/view.h"
#include "fs/relpath.h"

#define PATCH_MAX_SIZE  ((size_t)512 * 1024 * 1024)
#define PATCH_MAX_FILES ((size_t)100 * 1000)

/* A blob's name in git: 40 digits of a SHA-1 and a NUL. */
#define PATCH_ID_SIZE 41

enum patch_kind {
	PATCH_ABSENT,
	PATCH_FILE,
	PATCH_SYMLINK,
	PATCH_ANY, /* the change does not say whether it is a file or a link */
};

enum patch_direction {
	PATCH_FORWARD,
	PATCH_REVERSE, /* from the new files back to the old ones */
};

/* A file as a caller has it. */
struct patch_side {
	enum patch_kind kind;
	bool executable;
	struct view content; /* or the target of a link */
};

#define PATCH_SIDE_ABSENT ((struct patch_side){PATCH_ABSENT, false, {"", 0}})

/* --- a change ------------------------------------------------------------------- */

enum patch_body {
	PATCH_NO_CONTENT, /* the content stays, or is empty */
	PATCH_TEXT,
	PATCH_BINARY,
};

struct patch_hunk {
	size_t old_start; /* lines count from 0 */
	size_t old_count;
	size_t new_start;
	size_t new_count;
	struct buf lines; /* as in the patch: each with ' ', '-', '+' or '\' before it */
};

struct patch_binary {
	bool delta;      /* git's delta to the other side's content, else the content */
	struct buf data; /* not compressed */
};

/* One side, without the content. */
struct patch_end {
	struct relpath path; /* .text is NULL if there is no file */
	enum patch_kind kind;
	bool executable;
	char id[PATCH_ID_SIZE]; /* perhaps abbreviated, or empty */
};

struct patch_change {
	struct patch_end old;
	struct patch_end new;
	unsigned similarity; /* of a rename, in percent */
	enum patch_body body;
	struct patch_hunk *hunks; /* of a PATCH_TEXT */
	size_t hunk_count;
	struct patch_binary forward; /* of a PATCH_BINARY: makes the new content */
	struct patch_binary reverse; /* makes the old content */
	size_t line;                 /* of a parsed change, from 1 */
};

bool patch_is_rename(const struct patch_change *change);

/* The new path, or the old one of a deletion. */
const struct relpath *patch_path(const struct patch_change *change);

/* The numbers of added and removed lines; 0 for a binary file. */
void patch_count_lines(
	const struct patch_change *change, size_t *ret_added, size_t *ret_removed);

/* --- a patch -------------------------------------------------------------------- */

struct patch {
	struct patch_change *changes;
	size_t count;
	size_t cap;
};

#define PATCH_INIT ((struct patch){0})

void patch_release(struct patch *patch);

/*
 * Add the change from the old file to the new one, unless they are equal. Two different
 * paths are a rename. The path of an absent side may be NULL.
 */
int patch_add_change(struct patch *patch, const struct relpath *old_path,
	const struct patch_side *old, const struct relpath *new_path,
	const struct patch_side *new, struct error *err);

/*
 * Turn deletions and creations with the same or similar contents into renames, by the rules
 * of rename.h. Links must be equal, and empty files are never renamed. Only for patches made
 * by patch_add_change().
 */
int patch_find_renames(struct patch *patch, struct error *err);

/*
 * Append the patch to `out`, sorted by path, so the same changes give the same text.
 */
int patch_write(const struct patch *patch, struct buf *out, struct error *err);

/*
 * There may be any text before the first change. Every fault is ERROR_INVALID and begins with
 * the name and the line. Invalid or protected paths, a path that is changed twice, submodules,
 * copies, and binary files without their content are faults, too.
 */
int patch_parse(struct view text, const char *name, struct patch *ret_patch, struct error *err);

/* --- applying ------------------------------------------------------------------- */

struct patch_file {
	enum patch_kind kind;
	bool executable;
	struct buf content;
};

#define PATCH_FILE_INIT ((struct patch_file){.content = BUF_INIT})

void patch_file_release(struct patch_file *file);

/*
 * Apply a change exactly: hunks must fit at their line numbers, and a binary file must be the
 * one that the patch was made for. If not, that is ERROR_FAILED with the number of the hunk; a
 * patch that contradicts itself is ERROR_INVALID. The executable bit need not match; a patch
 * sets it only if it changes it.
 */
int patch_apply(const struct patch_change *change, enum patch_direction direction,
	const struct patch_side *before, struct patch_file *ret_after, struct error *err);

#endif
