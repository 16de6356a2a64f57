/*
 * Whether a file that was settled still has markers of its conflict.
 *
 * Lines that look like markers may be content. So what counts is: more of them than
 * the sides had, our own labels where no side has them, and more dividers (seven
 * equals signs) than both sides together.
 */
#ifndef ENGINE_TEXT_MARKERS_H
#define ENGINE_TEXT_MARKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/view.h"

struct markers_question {
	size_t content; /* lines of the merged file that look like markers and are content */
	struct view ours;
	struct view theirs;
	const char *label; /* of theirs: "telegram 1.0.0" */
};

bool markers_are_left(struct view text, const struct markers_question *question);

#endif
