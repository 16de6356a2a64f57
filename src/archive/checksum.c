#include "archive/checksum.h"

#include <string.h>

/* Odd, and with about as many ones as zeros. */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* As many words are under way at a time as a processor can multiply. */
#define LANES 4
#define BLOCK (LANES * sizeof(uint64_t))

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * FACTOR;
	return sum ^ sum >> 29;
}

uint64_t checksum(const void *data, size_t len)
{
	const unsigned char *at = data;
	uint64_t lanes[LANES] = {1, 2, 3, 4}, sum = len;
	unsigned char last[BLOCK] = {0};
	uint64_t words[LANES];

	for (size_t left = len; left; left -= left < BLOCK ? left : BLOCK, at += BLOCK) {
		if (left >= BLOCK) {
			memcpy(words, at, BLOCK);
		} else {
			memcpy(last, at, left);
			memcpy(words, last, BLOCK);
		}
		for (size_t i = 0; i < LANES; i++)
			lanes[i] = mix(lanes[i], words[i]);
	}
	for (size_t i = 0; i < LANES; i++)
		sum = mix(sum, lanes[i]);
	return sum;
}
