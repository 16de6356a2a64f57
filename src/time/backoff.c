#include "time/backoff.h"

#include <sys/random.h>

#define LONGEST_AWAY_MS 8000

/* splitmix64. */
static uint64_t next_random(uint64_t *seed)
{
	uint64_t z;

	while (!*seed)
		if (getrandom(seed, sizeof(*seed), 0) != sizeof(*seed))
			*seed = 1;
	z = (*seed += 0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

int64_t backoff_ms(int64_t first, int factor, int count, int64_t longest)
{
	int64_t wait = first;

	while (count-- > 0 && wait < longest)
		wait *= factor;
	return wait < longest ? wait : longest;
}

int64_t backoff_next(struct backoff *backoff)
{
	int64_t wait = backoff_ms(backoff->first_ms, 2, backoff->failures, backoff->longest_ms);

	if (wait < backoff->longest_ms)
		backoff->failures++;
	return wait - (int64_t)(next_random(&backoff->seed) % (uint64_t)(wait / 2 + 1));
}

int64_t backoff_away(struct backoff *backoff)
{
	int64_t wait = backoff_next(backoff);

	return wait < LONGEST_AWAY_MS ? wait : LONGEST_AWAY_MS;
}

void backoff_reset(struct backoff *backoff)
{
	backoff->failures = 0;
}
