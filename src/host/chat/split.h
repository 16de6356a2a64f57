/*
 * A text in parts that a platform takes, each at most `max` bytes (0: no limit).
 *
 * It is cut where a reader would: between paragraphs, else lines, else sentences, else
 * words; and never inside of a character. The white space at a cut is dropped. Of many
 * places the last one that fits is taken, unless it would waste half of the part.
 */
#ifndef HOST_CHAT_SPLIT_H
#define HOST_CHAT_SPLIT_H

#include <stddef.h>

#include "base/view.h"

#define SPLIT_MIN 16

struct split_parts {
	char **list;
	size_t count;
	size_t cap;
};

/* `max` of less than SPLIT_MIN is taken for SPLIT_MIN. White space alone is no part. */
void split_text(struct view text, size_t max, struct split_parts *ret_parts);
void split_parts_release(struct split_parts *parts);

#endif
