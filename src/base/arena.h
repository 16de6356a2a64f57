/*
 * Memory that is freed all at once: for trees whose nodes live and die together.
 *
 *	CLEANUP(arena_release) struct arena a = ARENA_INIT;
 *	struct node *n = arena_alloc(&a, sizeof(*n));
 *
 * Pieces never move and are never freed one by one. An array that grows in an
 * arena leaves its old copies behind, so it should grow by doubling.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/alloc.h"

struct arena_chunk;

struct arena {
	struct arena_chunk *newest;
};

#define ARENA_INIT ((struct arena){0})

/* `size` zero bytes, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of the bytes, with a NUL after it. */
char *arena_copy(struct arena *a, const void *data, size_t len);

/*
 * An array of `count` elements of `size` bytes with room for one more: `array`
 * itself, or a copy in the arena with twice the room. `*cap` is its room.
 */
void *arena_grow(struct arena *a, void *array, size_t count, size_t *cap, size_t size);

/* The same as a statement, like GROW() of alloc.h. */
#define ARENA_GROW(arena, array, count, cap)                                                   \
	((array) = arena_grow((arena), (array), (count), &(cap), sizeof(*(array))))

void arena_release(struct arena *a);

#endif
