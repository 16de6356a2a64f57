/*
 * How long one command takes, as a ratio to a peer:
 *
 *	ratio LABEL RUNS OURS PEER
 *
 * OURS and PEER are command lines without quoting, run without a shell. The two
 * take turns, so that a noisy machine is noisy for both, and the medians are
 * compared. Below 1.00 ours is the faster one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "timing.h"

#define MAX_WORDS 64
#define WARM_UP   10

static const char **split(char *line)
{
	const char **words = xcalloc(MAX_WORDS, sizeof(*words));
	char *state = NULL;
	size_t count = 0;

	for (char *word = strtok_r(line, " ", &state); word && count < MAX_WORDS - 1;
		word = strtok_r(NULL, " ", &state))
		words[count++] = word;
	return words;
}

int main(int argc, char **argv)
{
	size_t runs = argc == 5 ? strtoul(argv[2], NULL, 10) : 0;

	if (!runs) {
		fprintf(stderr, "usage: ratio LABEL RUNS OURS PEER\n");
		return 2;
	}
	CLEANUP(freep) char *peer_line = xstrdup(argv[4]);
	CLEANUP(freep) const char **our_words = split(argv[3]);
	CLEANUP(freep) const char **peer_words = split(peer_line);
	CLEANUP(freep) int64_t *ours = xcalloc(runs, sizeof(*ours));
	CLEANUP(freep) int64_t *peers = xcalloc(runs, sizeof(*peers));

	for (size_t i = 0; i < WARM_UP && i < runs; i++) {
		timing_run(our_words);
		timing_run(peer_words);
	}
	for (size_t i = 0; i < runs; i++) {
		ours[i] = timing_run(our_words);
		peers[i] = timing_run(peer_words);
	}
	printf("%-44s %6.2f  of  %s\n", argv[1],
		timing_median(ours, runs) / timing_median(peers, runs), argv[4]);
	return 0;
}
