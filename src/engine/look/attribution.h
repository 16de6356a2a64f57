/*
 * Who wrote which line of a file: the core, a skill, a custom patch, or the user.
 *
 *	CLEANUP(attribution_release) struct attribution a = ATTRIBUTION_INIT;
 *
 *	attribution_begin(&a, &comparison);
 *	if (attribution_of(&a, &path, &path, &file, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < file.count; i++)
 *		... file.lines[i].author->kind ...
 *	attributed_file_release(&file);
 *
 * Lines of the tree that are not in the recorded file are the user's. The others belong to the
 * first author that claims them:
 *  1. by the core, for lines that its file has;
 *  2. by each part of the file's thread (thread.h), from the bottom, for lines that its author
 *     brought: the difference between the two sides of the package's file or the patch, or, for
 *     entries in a structured file, to the layer below. Where a skill's part is recorded as it was
 *     made (part.h), only lines that are in its package, too.
 * Lines without any other owner were written to resolve a conflict: they are also the user's,
 * and marked as resolved.
 *
 * A diff (diff.h) decides which lines are the same, so a line that occurs several times in a
 * file may be attributed to another author. Each layer that has the file needs two diffs.
 *
 * A binary file or a link belongs as a whole to the author who changed it last.
 */
#ifndef ENGINE_LOOK_ATTRIBUTION_H
#define ENGINE_LOOK_ATTRIBUTION_H

#include "engine/look/compare.h"

enum author_kind {
	AUTHOR_CORE,
	AUTHOR_SKILL,
	AUTHOR_PATCH,
	AUTHOR_USER,
};

/* "core", "skill", "patch", "user" */
extern const char *const author_kind_names[];

struct author {
	enum author_kind kind;
	const char *name; /* of a skill or a patch; else NULL */
	bool resolved;    /* the user's, when a conflict was resolved */
};

struct attributed_line {
	struct view text; /* with its newline */
	const struct author *author;
};

struct attributed_file {
	struct buf content;
	struct attributed_line *lines;
	size_t count;
	size_t cap;
	const struct author *whole; /* of a binary file or a link: then there are no lines */
};

#define ATTRIBUTED_FILE_INIT ((struct attributed_file){.content = BUF_INIT})

struct attribution {
	struct comparison *comparison;
	struct author *authors; /* core, the layers in their order, user, user who resolved */
	size_t author_count;
};

#define ATTRIBUTION_INIT ((struct attribution){0})

/* The comparison must be open, and stay so. */
void attribution_begin(struct attribution *ret_attribution, struct comparison *comparison);

/*
 * A file of the tree. `recorded` is the path under which it is recorded: the same, or
 * another one if the user has moved it. It must be there (custom_read_tree()).
 */
int attribution_of(struct attribution *a, const struct relpath *path,
	const struct relpath *recorded, struct attributed_file *ret_file, struct error *err);

void attributed_file_release(struct attributed_file *file);
void attribution_release(struct attribution *a);

/* --- the rule by itself ------------------------------------------------------------- */

/*
 * Claim the lines of `text` that `with` has and `without` has not, for `author`:
 * entries of `owners`, one for each line of `text`, that are NULL so far.
 */
int attribution_claim(struct view text, struct view without, struct view with,
	const struct author *author, const struct author **owners, struct error *err);

#endif
