#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)8 * 1024)

struct arena_chunk {
	struct arena_chunk *older;
	size_t used;
	size_t size;
	alignas(max_align_t) char data[];
};

static struct arena_chunk *new_chunk(struct arena *a, size_t size)
{
	struct arena_chunk *chunk;

	chunk = xcalloc(1, sizeof(*chunk) + size);
	chunk->size = size;
	if (a->newest && size > CHUNK_SIZE) {
		/* A large piece fills its chunk: go on filling the one before. */
		chunk->older = a->newest->older;
		a->newest->older = chunk;
	} else {
		chunk->older = a->newest;
		a->newest = chunk;
	}
	return chunk;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t step = alignof(max_align_t);
	struct arena_chunk *chunk = a->newest;
	void *piece;

	assert(size < SIZE_MAX / 2);
	size = (size + step - 1) / step * step;
	if (!chunk || chunk->size - chunk->used < size)
		chunk = new_chunk(a, size > CHUNK_SIZE ? size : CHUNK_SIZE);
	piece = chunk->data + chunk->used;
	chunk->used += size;
	return piece;
}

char *arena_copy(struct arena *a, const void *data, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (len)
		memcpy(copy, data, len);
	return copy;
}

void *arena_grow(struct arena *a, void *array, size_t count, size_t *cap, size_t size)
{
	void *larger;

	if (count < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 4;
	assert(*cap < SIZE_MAX / 2 / size);
	larger = arena_alloc(a, *cap * size);
	if (count)
		memcpy(larger, array, count * size);
	return larger;
}

void arena_release(struct arena *a)
{
	struct arena_chunk *chunk = a->newest;

	while (chunk) {
		struct arena_chunk *older = chunk->older;

		free(chunk);
		chunk = older;
	}
}
