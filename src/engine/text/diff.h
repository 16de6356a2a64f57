/*
 * The lines in which two texts differ, as git finds them.
 *
 *	CLEANUP(diff_changes_release) struct diff_changes changes = DIFF_CHANGES_INIT;
 *
 *	if (diff_lines(old, new, &changes, err) < 0)
 *		return -1;
 *	for (size_t i = 0; i < changes.count; i++)
 *		... changes.list[i].old_start ...
 *
 * A line is all bytes up to and with its newline; the last one may have none, and
 * is then another line than the same text with a newline. Any bytes are fine.
 *
 * It uses git's own diff (xdiff.h), with its limits for texts that have little in common.
 */
#ifndef ENGINE_TEXT_DIFF_H
#define ENGINE_TEXT_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/view.h"

/* The largest text that can be compared: git's limit. */
#define DIFF_MAX_SIZE ((size_t)1024 * 1024 * 1023)

/*
 * `old_count` lines from old_start on became `new_count` lines from new_start on; lines count
 * from 0. Changes are in order, with at least one common line between two of them.
 */
struct diff_change {
	size_t old_start;
	size_t old_count;
	size_t new_start;
	size_t new_count;
};

struct diff_changes {
	struct diff_change *list;
	size_t count;
	size_t cap;
};

#define DIFF_CHANGES_INIT ((struct diff_changes){0})

/* Fails for a text above DIFF_MAX_SIZE and where memory runs out. */
int diff_lines(
	struct view old, struct view new, struct diff_changes *ret_changes, struct error *err);

void diff_changes_release(struct diff_changes *changes);

/* Split off the first line, with its newline. Returns false when nothing is left. */
bool diff_next_line(struct view *rest, struct view *ret_line);

#endif
