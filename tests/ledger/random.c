#include "random.h"

static uint64_t state;

void random_seed(uint64_t seed)
{
	state = seed;
}

unsigned below(unsigned limit)
{
	uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return limit ? (unsigned)((z ^ (z >> 31)) % limit) : 0;
}

bool one_in(unsigned n)
{
	return below(n) == 0;
}
