/*
 * How much of two contents is the same. One content is compared with many others, so
 * its pieces are prepared once:
 *
 *	CLEANUP(pieces_release) struct pieces old = {0}, new = {0};
 *
 *	pieces_of(old_text, &old);
 *	pieces_of(new_text, &new);
 *	if (pieces_similarity(&old, &new) >= SIMILARITY_SAME / 2)
 *		... at least half of the larger one is in both ...
 */
#ifndef ENGINE_PATCH_PATCH_SIMILARITY_H
#define ENGINE_PATCH_PATCH_SIMILARITY_H

#include <stddef.h>
#include <stdint.h>

#include "util/view.h"

/* Similarity is in hundredths of a percent. */
#define SIMILARITY_SAME 10000

struct piece {
	uint64_t hash;
	size_t bytes; /* in all pieces with this hash */
};

struct pieces {
	struct piece *list; /* sorted by hash */
	size_t count;
	size_t bytes; /* of the whole content */
};

void pieces_of(struct view content, struct pieces *ret_pieces);
void pieces_release(struct pieces *pieces);

unsigned pieces_similarity(const struct pieces *a, const struct pieces *b);

/* The same for two contents; SIMILARITY_SAME only if they are equal. */
unsigned patch_similarity(struct view old, struct view new);

#endif
