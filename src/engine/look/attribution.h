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
 * Lines of the tree that the recorded file has not are the user's. The others are
 * claimed, and the first claim counts:
 *  1. by the core, for those that its file has, too;
 *  2. by each layer (layer.h) in its order, for those that it brought: a skill those
 *     in which its file, as it was applied, differs from the core's (or from that of
 *     the skill that added it), and those that it contributed to a structured file; a
 *     custom patch those that it changed. Where a skill's part is recorded as it was made
 *     (part.h), those that are new in that and in its package.
 * So a skill that was written on top of another one has its own lines only. Lines that
 * nobody claims came up when a conflict was resolved by hand: they are the user's, too,
 * and marked as such.
 *
 * Which lines are "the same" is what a diff says (diff.h), so a line that stands in a
 * file several times may be counted as another's where it could be either. Two diffs
 * are made for each layer that has the file.
 *
 * A binary file, and a link, belongs as a whole to the last that changed it.
 */
#ifndef ENGINE_LOOK_ATTRIBUTION_H
#define ENGINE_LOOK_ATTRIBUTION_H

#include "engine/look/compare.h"
#include "engine/package/pack.h"

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
	struct pack *packs; /* of the layers that are skills, once they are needed */
	bool *pack_loaded;
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
