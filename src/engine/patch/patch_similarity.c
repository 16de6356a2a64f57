/*
 * How much of two contents is the same, in git's way: a content is a bag of pieces,
 * each a line or, where that is longer, 64 bytes; counted are the bytes of pieces
 * that both bags have.
 */
#include <stdint.h>
#include <stdlib.h>

#include "engine/patch/patch_similarity.h"

#define PIECE_MAX 64

static int by_hash(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->hash > y->hash) - (x->hash < y->hash);
}

static struct view next_piece(struct view *rest)
{
	struct view piece;
	size_t len = 0;

	while (len < rest->len && len < PIECE_MAX)
		if (rest->data[len++] == '\n')
			break;
	piece = view_slice(*rest, 0, len);
	*rest = view_slice(*rest, len, rest->len);
	return piece;
}

/* FNV-1a */
static uint64_t hash_piece(struct view piece)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < piece.len; i++)
		hash = (hash ^ (unsigned char)piece.data[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* The pieces of one kind become one. */
static size_t join(struct piece *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && list[kept - 1].hash == list[i].hash)
			list[kept - 1].bytes += list[i].bytes;
		else
			list[kept++] = list[i];
	}
	return kept;
}

void pieces_of(struct view content, struct pieces *ret_pieces)
{
	struct pieces pieces = {.bytes = content.len};
	size_t cap = 0;

	while (content.len) {
		struct view piece = next_piece(&content);

		GROW(pieces.list, pieces.count, cap);
		pieces.list[pieces.count++] = (struct piece){hash_piece(piece), piece.len};
	}
	if (pieces.count)
		qsort(pieces.list, pieces.count, sizeof(*pieces.list), by_hash);
	pieces.count = join(pieces.list, pieces.count);
	*ret_pieces = pieces;
}

void pieces_release(struct pieces *pieces)
{
	free(pieces->list);
}

unsigned pieces_similarity(const struct pieces *a, const struct pieces *b)
{
	size_t larger = a->bytes > b->bytes ? a->bytes : b->bytes;
	size_t same = 0;

	for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
		const struct piece *x = &a->list[i], *y = &b->list[j];

		if (x->hash == y->hash)
			same += x->bytes < y->bytes ? x->bytes : y->bytes;
		i += x->hash <= y->hash;
		j += x->hash >= y->hash;
	}
	return larger ? (unsigned)(same * SIMILARITY_SAME / larger) : 0;
}

unsigned patch_similarity(struct view old, struct view new)
{
	CLEANUP(pieces_release) struct pieces a = {0};
	CLEANUP(pieces_release) struct pieces b = {0};
	unsigned similarity;

	if (view_equal(old, new))
		return SIMILARITY_SAME;
	pieces_of(old, &a);
	pieces_of(new, &b);
	similarity = pieces_similarity(&a, &b);
	/* The same lines in another order are not the same. */
	return similarity < SIMILARITY_SAME ? similarity : SIMILARITY_SAME - 1;
}
