/*
 * What the files behind patch.h share among themselves.
 */
#ifndef ENGINE_PATCH_PATCH_PARTS_H
#define ENGINE_PATCH_PATCH_PARTS_H

#include "engine/patch/patch.h"

#define PATCH_NO_NEWLINE "\\ No newline at end of file\n"
#define PATCH_NULL_ID    "0000000000000000000000000000000000000000"

/* Every change starts as this. */
#define PATCH_CHANGE_INIT                                                                      \
	((struct patch_change){                                                                \
		.forward = {.data = BUF_INIT},                                                 \
		.reverse = {.data = BUF_INIT},                                                 \
	})

void patch_change_release(struct patch_change *change);

/* Add it to the patch, which owns it then; `*change` is empty afterwards. */
void patch_take_change(struct patch *patch, struct patch_change *change);

/* The name that git has for a content. */
void patch_id_of(struct view content, char ret_id[static PATCH_ID_SIZE]);

/* The hunks between two texts, with context. (patch_hunks.c) */
int patch_make_hunks(
	struct view old, struct view new, struct patch_change *change, struct error *err);

/* A new, empty hunk at the end of the list. */
struct patch_hunk *patch_add_hunk(struct patch_change *change);

/*
 * The next line of a hunk: its sign, and its content, with the newline if it has one.
 * False when nothing is left.
 */
bool patch_next_line(struct view *rest, char *ret_sign, struct view *ret_content);

/*
 * A name in a patch, with `prefix` before it: as it is, or in double quotes and
 * escaped as in C where it has unusual bytes. (patch_name.c)
 */
void patch_name_append(struct buf *out, const char *prefix, struct view name);

/*
 * Take a quoted name from the beginning of `rest`, which starts with a double quote.
 * False if it does not end or has an escape that git does not write.
 */
bool patch_name_unquote(struct view *rest, struct buf *out);

/* The content that git's delta makes of `base`. (patch_delta.c) */
int patch_delta_apply(
	struct view base, struct view delta, struct buf *ret_content, struct error *err);

#endif
