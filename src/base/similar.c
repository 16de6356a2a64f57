#include "base/similar.h"

#include <string.h>

#include "base/alloc.h"

#define LONGEST 64

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* Insertions, deletions, replacements and swaps of neighbours, one point each. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	size_t alen = strlen(a), blen = strlen(b);

	if (alen > LONGEST || blen > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= blen; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= alen; i++) {
		size_t *now = rows[i % 3], *last = rows[(i + 2) % 3],
		       *older = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= blen; j++) {
			size_t replace = last[j - 1] + (a[i - 1] != b[j - 1]);

			now[j] = min3(last[j] + 1, now[j - 1] + 1, replace);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				older[j - 2] + 1 < now[j])
				now[j] = older[j - 2] + 1;
		}
	}
	return rows[alen % 3][blen];
}

struct similar similar_to(const char *word)
{
	/* A third of the letters may be wrong, and two in any case. */
	size_t allowed = strlen(word) / 3;

	return (struct similar){.word = word, .distance = (allowed < 2 ? 2 : allowed) + 1};
}

void similar_consider(struct similar *best, const char *known)
{
	size_t distance = edit_distance(best->word, known);
	size_t typed = strlen(best->word);

	/* The typed text is a prefix of it. */
	if (typed >= 3 && !strncmp(known, best->word, typed))
		distance = 1;
	if (distance < best->distance && distance < strlen(known) && distance <= typed) {
		best->distance = distance;
		best->found = known;
	}
}
