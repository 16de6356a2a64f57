/*
 * What an intent file says must be kept of a file: the pieces of code that stand in
 * backticks below its heading "Must-keep".
 *
 *	CLEANUP(must_keep_release) struct must_keep pieces = MUST_KEEP_INIT;
 *
 *	must_keep_read(text, &pieces);
 *	lost = must_keep_lost(&pieces, current, skill, result);
 *
 * A piece is what `one`, ``two`` or more backticks enclose, within a paragraph, with
 * a space where it is broken into lines; and every line of a block that is fenced by
 * three backticks or more, without the space around it. Text without backticks is for
 * people and cannot be checked.
 */
#ifndef ENGINE_PACKAGE_MUST_KEEP_H
#define ENGINE_PACKAGE_MUST_KEEP_H

#include <stdbool.h>

#include "util/view.h"

/* More pieces than this in one intent file are not looked at. */
#define MUST_KEEP_MAX 10000

struct must_keep {
	char **list;
	size_t count;
	size_t cap;
};

#define MUST_KEEP_INIT ((struct must_keep){0})

/* From the whole text of an intent file; without the heading there are none. */
void must_keep_read(struct view intent, struct must_keep *ret_pieces);

/* The first piece that stood in `current` or `skill` and is not in `result`; or NULL. */
const char *must_keep_lost(const struct must_keep *pieces, struct view current,
	struct view skill, struct view result);

void must_keep_release(struct must_keep *pieces);

#endif
