/*
 * "Did you mean": finds the known word that is most similar to the one that was typed.
 *
 *	struct similar best = similar_to(typed);
 *	for each known word
 *		similar_consider(&best, known);
 *	if (best.found) ...
 */
#ifndef BASE_SIMILAR_H
#define BASE_SIMILAR_H

#include <stddef.h>

struct similar {
	const char *word;
	const char *found;
	size_t distance;
};

struct similar similar_to(const char *word);
void similar_consider(struct similar *best, const char *known);

#endif
